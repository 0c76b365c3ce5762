import { ApiError } from '../../../shared/errors.js'
import { databaseFailure } from '../../failures/database-failure.js'
import type { Sql } from '../driver/db.js'
import type { InsertedMessage, NewMessage } from '../messages/messages.js'
import { mergeNewWords } from '../pages/message-search.js'
import { insertMessages, noteFirstMessages } from './insert-messages.js'

/** Two: while one waits for its commit, the other runs the next statement. More connections would only make the batches smaller. */
export const writerConnections = 2
// A statement of this size takes about 20 ms, and so bounds how long further messages wait.
const messagesPerStatement = 500
const bytesPerStatement = 4_000_000

// Characters of text between two merges of the search index; such a merge takes a few milliseconds.
const charactersPerMerge = 100_000

// Waiting messages at most, some seconds at full speed, so that a hanging database does not fill the memory.
const maxWaiting = 20_000

interface Waiting {
  readonly message: NewMessage
  /** The place and the sender: messages with a common order key are stored in the order in which they arrived. */
  readonly orderKeys: readonly string[]
  resolve(inserted: InsertedMessage | undefined): void
  reject(error: unknown): void
}

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
   * @throws {ApiError} SERVER_NOT_READY when too many messages are waiting; the error of the database if the statement fails
   */
  write(message: NewMessage): Promise<InsertedMessage | undefined> {
    const place = message.channel_id === null ? `d${message.conversation_id}` : `c${message.channel_id}`
    if (this.queue.length >= maxWaiting) {
      return Promise.reject(new ApiError('SERVER_NOT_READY', 'Too many messages are waiting: try again later'))
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ message, orderKeys: [place, `s${message.sender_id}`], resolve, reject })
      this.startStatements()
    })
  }

  private startStatements(): void {
    while (this.idle.length > 0) {
      const batch = this.nextBatch()
      if (batch.length === 0) return
      // The connection that was used last.
      const connection = this.idle.pop() as Sql
      const orderKeys = new Set(batch.flatMap(waiting => waiting.orderKeys))
      for (const orderKey of orderKeys) this.busy.add(orderKey)
      void this.run(connection, batch).finally(() => {
        this.idle.push(connection)
        for (const orderKey of orderKeys) this.busy.delete(orderKey)
        this.startStatements()
      })
    }
  }

  /** The next batch in order, without messages that have to wait for an earlier message with the same order key. */
  private nextBatch(): Waiting[] {
    const blocked = new Set(this.busy)
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    let bytes = 0
    for (const waiting of this.queue) {
      const { idempotencyKey: key } = waiting.message
      const full = batch.length === messagesPerStatement || bytes > bytesPerStatement
      // One statement cannot store and find the same key.
      const isRepeat = key !== undefined && keys.has(key)
      if (full || isRepeat || waiting.orderKeys.some(orderKey => blocked.has(orderKey))) {
        for (const orderKey of waiting.orderKeys) blocked.add(orderKey)
        left.push(waiting)
      } else {
        batch.push(waiting)
        if (key !== undefined) keys.add(key)
        bytes += waiting.message.entries.reduce((sum, entry) => sum + entry.length, 0)
      }
    }
    this.queue = left
    return batch
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

  private settle(batch: readonly Waiting[], results: readonly (InsertedMessage | undefined)[]): void {
    const inserted = batch.flatMap(({ message }, i) => {
      const result = results[i]
      return result && !result.isRepeat ? [{ message, inserted: result }] : []
    })
    this.stored += inserted.length
    if (inserted.length > 0) this.onInserted(inserted)
    const first = inserted.flatMap(({ message, inserted: { isFirst } }) => (isFirst ? (message.channel_id ?? []) : []))
    if (first.length > 0) noteFirstMessages(this.sql, [...new Set(first)]).catch(this.onError)
    for (const [i, waiting] of batch.entries()) waiting.resolve(results[i])
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
