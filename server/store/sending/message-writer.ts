import { ApiError } from '../../../shared/errors.js'
import { databaseFailure } from '../../failures/database-failure.js'
import type { Sql } from '../driver/db.js'
import type { InsertedMessage, NewMessage } from '../messages/messages.js'
import { mergeNewWords } from '../pages/message-search.js'
import { insertMessages, noteFirstMessages, type Outcome } from './insert-messages.js'
import { nextMessages, type OwnTransaction, type Waiting } from './waiting-messages.js'

/** Two: while one waits for its commit, the other runs the next statement. More connections would only make the batches smaller. */
export const writerConnections = 2

// Characters of text between two merges of the search index; such a merge takes a few milliseconds.
const charactersPerMerge = 100_000

// Waiting messages at most, some seconds at full speed, so that a hanging database does not fill the memory.
const maxWaiting = 20_000

/** Gets the stored messages of a statement, without repeats. */
export type OnInserted = (messages: readonly { message: NewMessage; inserted: InsertedMessage }[]) => void

/**
 * Stores messages in batches: messages that arrive while statements run share the next statement. It has no timer, so a single
 * message does not wait.
 */
export class MessageWriter {
  private queue: Waiting[] = []
  private readonly idle: Sql[]
  /** The order keys of running statements. */
  private readonly busy = new Set<string>()
  /** Length of the texts whose words are not merged into the search index yet. */
  private unmerged = 0
  private isMerging = false
  /** Number of stored messages. */
  stored = 0

  /**
   * `onInserted` is called once for each statement, in the order in which this worker learned of the commits.
   * @param connections pools of one connection each, only for messages: a connection that just ran the same statement is faster
   */
  constructor(
    private readonly sql: Sql,
    readonly connections: readonly Sql[],
    private readonly onInserted: OnInserted,
    private readonly onError: (error: unknown) => void,
  ) {
    this.idle = [...connections]
  }

  /** Messages that wait for a statement. */
  get waiting(): number {
    return this.queue.length
  }

  /**
   * Stores the message. Undefined: its permissions or its audience are out of date, and nothing was stored.
   * @param own for messages with which further changes belong; a message with `asksForStart` has it
   * @throws {ApiError} SERVER_NOT_READY when too many messages are waiting; the error of the database if the statement fails
   */
  write(message: NewMessage, own?: OwnTransaction): Promise<InsertedMessage | undefined> {
    const place = message.channel_id === null ? `d${message.conversation_id}` : `c${message.channel_id}`
    if (this.queue.length >= maxWaiting) {
      return Promise.reject(new ApiError('SERVER_NOT_READY', 'Too many messages are waiting: try again later'))
    }
    return new Promise((resolve, reject) => {
      const orderKeys = [place, `s${message.sender_id}`] as const
      this.queue.push({ message, own, isAlone: own?.isNeeded ?? false, orderKeys, resolve, reject })
      this.startStatements()
    })
  }

  private startStatements(): void {
    while (this.idle.length > 0) {
      const { batch, alone, left } = nextMessages(this.queue, this.busy)
      this.queue = left
      // Their transactions use other connections.
      for (const waiting of alone) this.hold([waiting], this.runAlone(waiting))
      if (batch.length === 0) return
      // The connection that was used last.
      const connection = this.idle.pop() as Sql
      const run = this.run(connection, batch).finally(() => this.idle.push(connection))
      this.hold(batch, run)
    }
  }

  /** Keeps later messages with the same order keys back until `run` has ended. */
  private hold(batch: readonly Waiting[], run: Promise<unknown>): void {
    const orderKeys = new Set(batch.flatMap(waiting => waiting.orderKeys))
    for (const orderKey of orderKeys) this.busy.add(orderKey)
    void run.finally(() => {
      for (const orderKey of orderKeys) this.busy.delete(orderKey)
      this.startStatements()
    })
  }

  private async runAlone(waiting: Waiting): Promise<void> {
    try {
      if (!waiting.own) throw new Error('a message that may start its topic has no transaction')
      this.settle([waiting], [await waiting.own.run()])
    } catch (error) {
      waiting.reject(error)
    }
  }

  private async run(connection: Sql, batch: readonly Waiting[]): Promise<void> {
    const messages = batch.map(waiting => waiting.message)
    try {
      this.settle(batch, await insertMessages(connection, messages))
    } catch (error) {
      // PostgreSQL rejected the statement and stored nothing. Retry one by one, so that one bad message does not fail the others, and
      // because a deadlock is temporary.
      const refused = typeof (error as { code?: unknown }).code === 'string' && 'severity' in (error as object)
      if (!refused) for (const waiting of batch) waiting.reject(error)
      else await this.runEach(connection, batch)
    }
  }

  /** Stores messages one by one. After a database failure at a place, further messages to it fail at once instead of waiting, too. */
  private async runEach(connection: Sql, batch: readonly Waiting[]): Promise<void> {
    const held = new Map<string | undefined, unknown>()
    for (const waiting of batch) {
      const [place] = waiting.orderKeys
      if (held.has(place)) {
        waiting.reject(held.get(place))
        continue
      }
      try {
        this.settle([waiting], await insertMessages(connection, [waiting.message]))
      } catch (error) {
        if (databaseFailure(error)) held.set(place, error)
        waiting.reject(error)
      }
    }
  }

  private settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const inserted = batch.flatMap(({ message }, i) => {
      const outcome = outcomes[i]
      return typeof outcome === 'object' && !outcome.isRepeat ? [{ message, inserted: outcome }] : []
    })
    this.stored += inserted.length
    if (inserted.length > 0) this.onInserted(inserted)
    const first = inserted.flatMap(({ message, inserted: { isFirst } }) => (isFirst ? (message.channel_id ?? []) : []))
    if (first.length > 0) noteFirstMessages(this.sql, [...new Set(first)]).catch(this.onError)
    for (const [i, waiting] of batch.entries()) {
      const outcome = outcomes[i]
      if (outcome !== 'starts') waiting.resolve(outcome)
    }
    const starting = batch.filter((_, i) => outcomes[i] === 'starts')
    for (const waiting of starting) waiting.isAlone = true
    // In front, while the order keys of the batch still keep later messages back.
    this.queue.unshift(...starting)
    for (const { message } of inserted) this.unmerged += message.content.length
    if (this.unmerged >= charactersPerMerge && !this.isMerging) void this.merge()
  }

  /** Merges the pending list outside of the inserts: otherwise one insert would have to do it, and all later ones would wait. */
  private async merge(): Promise<void> {
    this.isMerging = true
    this.unmerged = 0
    try {
      await mergeNewWords(this.sql)
    } catch (error) {
      this.onError(error)
    } finally {
      this.isMerging = false
    }
  }
}
