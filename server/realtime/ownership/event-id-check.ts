import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '../../../shared/errors.js'
import { type EntryCache, type Feed, feedIdBefore, gapEnd, type RestartDetection } from '../feed/index.js'
import { badQueue, notNow, type Queue, wasNotIn } from '../queues/index.js'

// Opening a queue fails with SERVER_NOT_READY if this worker's tail does not reach the client's last event id within this time.
const tailWaitMs = 5000

/** Checks last event ids of clients that the queue in memory cannot decide on (`Queue.check`). */
export class EventIdCheck {
  constructor(
    private readonly feed: Feed,
    private readonly cache: EntryCache,
    private readonly restarts: RestartDetection,
  ) {}

  /** Whether this worker has read the feed up to this id. */
  hasRead(lastEventId: number): boolean {
    return lastEventId <= gapEnd(this.cache.newest)
  }

  /**
   * Waits for the tail: the client's previous worker had read further in the feed than this worker has.
   * @throws {ApiError} BAD_REQUEST if the feed has no such entry; SERVER_NOT_READY if the tail does not reach it in time.
   */
  async waitForTail(lastEventId: number): Promise<void> {
    const { last } = await this.feed.ends()
    if (lastEventId > gapEnd(last)) await this.refuse(wasNotIn(lastEventId))
    const late = sleep(tailWaitMs, 'late', { ref: false })
    const reached = this.cache.reached(feedIdBefore(lastEventId))
    if ((await Promise.race([reached, late])) === 'late') throw notNow()
  }

  /**
   * Whether `id` belongs to one of the several events that an entry can be for this queue's view. If the entry cache no longer
   * holds the entry, the id is accepted: the client has received everything up to it.
   */
  isInEntry(queue: Queue, id: number): boolean {
    const entryId = queue.nextInFeed(id)
    const entry = this.cache.get(entryId)
    return entry ? queue.isOf(id, entry) : entryId > 0
  }

  /**
   * Checks in the feed that this worker or the previous owner issued this id; an id below the trimmed part of the feed is accepted.
   * @throws {ApiError} BAD_REQUEST: no event of this queue has the id; BAD_EVENT_QUEUE_ID: Redis lost the event with this id, and
   * later events are in the queue again under other ids
   */
  async requireInFeed(queue: Queue, id: number): Promise<void> {
    // The id of a heartbeat lies behind an entry that may be for other users.
    const feedId = feedIdBefore(id)
    const entry = this.cache.get(feedId) ?? (await this.feed.fetch([feedId]))[0]
    if (entry) {
      if (id === feedId && !queue.isOf(id, entry)) await this.refuse(wasNotIn(id))
      return
    }
    // An entry that is several events also uses ids below its own.
    const [next] = await this.feed.after(feedId, 1)
    if (next && queue.isOf(id, next)) return
    if (feedId > (await this.feed.ends()).trimmed)
      await this.refuse(queue.issuedElsewhere < 0 ? wasNotIn(id) : badQueue(queue.id))
  }

  /**
   * Throws the error; after a restart of Redis throws SERVER_NOT_READY instead, until the worker that delivered an event which
   * Redis may have lost has restored it.
   */
  private async refuse(error: ApiError): Promise<never> {
    throw (await this.restarts.isSettling()) ? notNow() : error
  }
}
