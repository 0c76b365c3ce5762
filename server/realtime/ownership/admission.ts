import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../shared/errors.js'
import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { EntryCache } from '../feed/entry-cache.js'
import type { Feed } from '../feed/feed.js'
import { feedIdBefore, gapEnd } from '../feed/ids.js'
import type { RestartDetection } from '../feed/restart-detection.js'
import { type Queue, wasNotIn } from '../queues/queue.js'
import { badQueue, notNow, type Queues } from '../queues/queues.js'
import type { Claims } from './claims.js'

// Admission fails with SERVER_NOT_READY if this worker's tail does not reach the client's last event id within this time.
const tailWaitMs = 5000
// Another worker may take the queue over between the claim and its use; admission then claims it again.
const tries = 4

/** Admits a consumer to a queue: claims the queue if another worker owns it, and checks the consumer's last event id. */
export class Admission {
  readonly #deps: EngineDeps
  readonly #queues: Queues
  readonly #claims: Claims
  readonly #feed: Feed
  readonly #cache: EntryCache
  readonly #restarts: RestartDetection

  constructor(
    deps: EngineDeps,
    queues: Queues,
    claims: Claims,
    feed: Feed,
    cache: EntryCache,
    restarts: RestartDetection,
  ) {
    this.#deps = deps
    this.#queues = queues
    this.#claims = claims
    this.#feed = feed
    this.#cache = cache
    this.#restarts = restarts
  }

  /**
   * Returns the queue, live and owned by this worker, after checking `lastEventId`.
   * Returns a promise only if the queue has to be claimed or the check needs Redis.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID, BAD_REQUEST, SERVER_NOT_READY
   */
  admit(queueId: string, userId: number, lastEventId: number): Queue | Promise<Queue> {
    const own = this.#queues.byId.get(queueId)
    if (own?.state === 'live' && own.userId === userId && lastEventId <= gapEnd(this.#cache.newest)) {
      if (own.check(lastEventId) === 'ok') return own
    }
    return this.#claim(queueId, userId, lastEventId)
  }

  async #claim(queueId: string, userId: number, lastEventId: number): Promise<Queue> {
    try {
      if (lastEventId > gapEnd(this.#cache.newest)) await this.#read(lastEventId)
      for (let i = 0; i < tries; i++) {
        const own = this.#queues.byId.get(queueId)
        const queue = own?.state === 'live' ? own : await this.#claims.take(queueId, userId)
        if (queue?.userId !== userId) throw badQueue(queueId)
        if (queue.check(lastEventId) === 'ask') await this.#ask(queue, lastEventId)
        if (queue.state === 'live') return queue
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      logFailure(this.#deps, error, 'a queue could not be opened', { queue: queueId })
    }
    throw notNow()
  }

  /** Waits for the tail: the client's previous worker had read further in the feed than this worker has. */
  async #read(lastEventId: number): Promise<void> {
    const { last } = await this.#feed.ends()
    if (lastEventId > gapEnd(last)) await this.#refuse(wasNotIn(lastEventId))
    const late = sleep(tailWaitMs, 'late', { ref: false })
    const reached = this.#cache.reached(feedIdBefore(lastEventId))
    if ((await Promise.race([reached, late])) === 'late') throw notNow()
  }

  /**
   * Whether `id` belongs to one of the several events that an entry can be for this queue's view. If the entry cache no longer
   * holds the entry, the id is accepted: the client has received everything up to it.
   */
  isPiece(queue: Queue, id: number): boolean {
    const entryId = queue.nextInFeed(id)
    const entry = this.#cache.get(entryId)
    return entry ? queue.isOf(id, entry) : entryId > 0
  }

  /**
   * Checks in the feed that this worker or the previous owner issued this id; an id below the trimmed part of the feed is accepted.
   * @throws {ApiError} BAD_REQUEST: no event of this queue has the id; BAD_EVENT_QUEUE_ID: Redis lost the event with this id, and
   * later events are in the queue again under other ids
   */
  async #ask(queue: Queue, id: number): Promise<void> {
    // The id of a heartbeat lies behind an entry that may be for other users.
    const feedId = feedIdBefore(id)
    const entry = this.#cache.get(feedId) ?? (await this.#feed.fetch([feedId]))[0]
    if (entry) {
      if (id === feedId && !queue.isOf(id, entry)) await this.#refuse(wasNotIn(id))
      return
    }
    // An entry that is several events also uses ids below its own.
    const [next] = await this.#feed.after(feedId, 1)
    if (next && queue.isOf(id, next)) return
    if (feedId > (await this.#feed.ends()).trimmed)
      await this.#refuse(queue.issuedElsewhere < 0 ? wasNotIn(id) : badQueue(queue.id))
  }

  /**
   * Throws the error; after a restart of Redis throws SERVER_NOT_READY instead, until the worker that delivered an event which
   * Redis may have lost has restored it.
   */
  async #refuse(error: ApiError): Promise<never> {
    throw (await this.#restarts.isSettling()) ? notNow() : error
  }
}
