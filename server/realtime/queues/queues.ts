import { ApiError } from '../../../shared/errors.js'
import { type CloseCode, closeCodes } from '../../../shared/wire/close-codes.js'
import { emptyFrame } from '../encoding/index.js'
import type { RealtimeStats } from '../realtime.js'
import type { Ending, Queue } from './queue.js'
import type { OptionsPool } from './queue-options.js'
import type { ShownTransactions } from './shown-transactions.js'

export const badQueue = (queueId: string): ApiError =>
  new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId })

/** The error for a temporary failure of the server: the client keeps its queue and retries. */
export const notNow = (): ApiError =>
  new ApiError('SERVER_NOT_READY', 'The server cannot serve event queues at the moment.')

/** The error for a caller whose account was deactivated or whose key was revoked during the request. */
export const revoked = (): ApiError => new ApiError('UNAUTHORIZED', 'Your account or your key was revoked.')

const endings: Record<Ending, { code: CloseCode; reason: string; error?: (queueId: string) => ApiError }> = {
  replaced: { code: closeCodes.replaced, reason: 'another connection reads this queue' },
  // The client reconnects, to any worker.
  moved: { code: closeCodes.restarting, reason: 'another server goes on with this queue' },
  gone: { code: closeCodes.queueGone, reason: 'BAD_EVENT_QUEUE_ID', error: badQueue },
  revoked: {
    code: closeCodes.unauthenticated,
    reason: 'UNAUTHORIZED',
    error: revoked,
  },
  tooSlow: { code: closeCodes.tooSlow, reason: 'reads too slowly' },
  stopping: { code: closeCodes.restarting, reason: 'the server restarts' },
}

/** The queues that this worker owns. */
export class Queues {
  readonly byId = new Map<string, Queue>()
  /** Upper bound of the `from` of all queues. */
  highestFrom = 0
  /** No register answer of these queues shows a transaction with this id or a higher one. */
  shownBelow = 0
  /** Queues that were registered with all_public_streams. */
  readonly allPublic = new Set<Queue>()
  /** The first queue of each user, by user id; `Queue.next` links the others. */
  private readonly firsts: (Queue | null)[] = []
  private dirty: Queue[] = []
  private isDraining = false
  /** A queue of the user has ended for good; set by the engine. */
  ended: (userId: number) => void = () => {}

  constructor(
    private readonly pool: OptionsPool,
    private readonly now: () => number,
  ) {}

  add(queue: Queue): void {
    this.byId.set(queue.id, queue)
    queue.linkTo(this.firstOf(queue.userId))
    this.firsts[queue.userId] = queue
    this.highestFrom = Math.max(this.highestFrom, queue.from)
    if (queue.shown) this.shownBelow = Math.max(this.shownBelow, queue.shown.end)
    if (queue.options.allPublicStreams) this.allPublic.add(queue)
  }

  /** Removes a queue from this worker's memory; its keys in Redis stay. */
  remove(queue: Queue, ending: Ending): void {
    this.endConsumer(queue, ending)
    if (queue.state === 'gone') return
    queue.end(ending)
    this.byId.delete(queue.id)
    this.unlink(queue)
    this.allPublic.delete(queue)
    this.pool.release(queue.options)
    if (ending === 'gone' || ending === 'revoked') this.ended(queue.userId)
  }

  /** The user's first queue; `next` of each queue leads to the user's other queues. */
  firstOf(userId: number): Queue | null {
    return this.firsts[userId] ?? null
  }

  /** Excludes the events of these transactions from the queue. */
  exclude(queue: Queue, shown: ShownTransactions): void {
    queue.exclude(shown)
    this.shownBelow = Math.max(this.shownBelow, shown.end)
  }

  private unlink(queue: Queue): void {
    const rest = ofUser(this.firstOf(queue.userId)).filter(other => other !== queue)
    rest.forEach((other, i) => {
      other.linkTo(rest[i + 1] ?? null)
    })
    this.firsts[queue.userId] = rest[0] ?? null
  }

  /**
   * Ends the queue's consumer. The consumer is called in a later turn of the event loop, because the caller may be the handler of
   * another request. The idle timeout starts at the start of a poll, or at the end of a socket.
   */
  endConsumer(queue: Queue, ending: Ending): void {
    const { consumer } = queue
    if (consumer === null) return
    queue.release(this.now())
    const { code, reason, error } = endings[ending]
    if (consumer.kind === 'socket') setImmediate(() => consumer.socket.close(code, reason))
    else if (error) setImmediate(() => consumer.fail(error(queue.id)))
    else setImmediate(() => consumer.answer(emptyFrame()))
  }

  /** From now on new queues and consumers are rejected; the present consumers end, and their clients reconnect to another worker. */
  drain(): void {
    this.isDraining = true
    for (const queue of this.byId.values()) this.endConsumer(queue, 'stopping')
  }

  /** @throws {ApiError} SERVER_NOT_READY if this worker drains. */
  requireOpen(): void {
    if (!this.isOpen) throw notNow()
  }

  /** False: this worker drains. */
  get isOpen(): boolean {
    return !this.isDraining
  }

  /** Numbers for status pages. */
  stats(): Omit<RealtimeStats, 'unpublished' | 'feedId'> {
    let attached = 0
    let polls = 0
    let behind = 0
    let pendingEntries = 0
    for (const { consumer, length } of this.byId.values()) {
      if (consumer?.kind === 'poll') polls++
      else if (consumer?.kind === 'socket') {
        attached++
        if (!consumer.isLive) behind++
      }
      pendingEntries += length
    }
    return { queues: this.byId.size, attached, polls, behind, pendingEntries }
  }

  /** Acknowledges events; a log whose references are all acknowledged is deleted with the next flush. */
  acknowledge(queue: Queue, id: number): void {
    queue.acknowledge(id)
    if (queue.isLogObsolete) this.markDirty(queue)
  }

  /** The next flush of the queue log has to look at this queue. */
  markDirty(queue: Queue): void {
    if (queue.isDirty) return
    queue.setDirty(true)
    this.dirty.push(queue)
  }

  /** The queues marked dirty since the last call. */
  takeDirty(): Queue[] {
    const taken = this.dirty
    this.dirty = []
    for (const queue of taken) queue.setDirty(false)
    return taken
  }
}

/** The queues of a user, given the first one. */
export function ofUser(first: Queue | null): Queue[] {
  const all: Queue[] = []
  for (let queue = first; queue !== null; queue = queue.next) all.push(queue)
  return all
}
