import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.js'
import { logFailure } from '../log-failure.js'
import type { Claims } from './claims.js'
import type { Delivery } from './delivery.js'
import type { Feed } from './feed.js'
import { feedIdBefore, gapEnd } from './ids.js'
import type { Parts } from './parts.js'
import { type Queue, wasNotIn } from './queue.js'
import { badQueue, type Queues } from './queues.js'
import type { Recent } from './recent.js'
import type { RedisRun } from './redis-run.js'

// A worker that is so far behind the feed had better not be asked.
const patience = 5000
// A queue may be taken over by another worker in the moment between.
const tries = 4

/** It is the server that is not ready: the client keeps its queue and asks again. */
export const notNow = (): ApiError =>
  new ApiError('SERVER_NOT_READY', 'The server cannot serve event queues at the moment.')

/** Lets a reader to a queue: the queue becomes this worker's, and the reader's last event id is checked. */
export class Admission {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #claims: Claims
  readonly #delivery: Delivery
  readonly #feed: Feed
  readonly #recent: Recent
  readonly #run: RedisRun

  constructor(
    parts: Parts,
    queues: Queues,
    claims: Claims,
    delivery: Delivery,
    feed: Feed,
    recent: Recent,
    run: RedisRun,
  ) {
    this.#parts = parts
    this.#queues = queues
    this.#claims = claims
    this.#delivery = delivery
    this.#feed = feed
    this.#recent = recent
    this.#run = run
  }

  /**
   * The queue, live and ours, which `lastEventId` fits.
   * A promise only where it is not ours already, or somebody has to be asked.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID, BAD_REQUEST, SERVER_NOT_READY
   */
  admit(queueId: string, userId: number, lastEventId: number): Queue | Promise<Queue> {
    const own = this.#queues.byId.get(queueId)
    if (own?.state === 'live' && own.userId === userId && lastEventId <= gapEnd(this.#recent.newest)) {
      if (own.check(lastEventId) === 'ok') return own
    }
    return this.#claim(queueId, userId, lastEventId)
  }

  async #claim(queueId: string, userId: number, lastEventId: number): Promise<Queue> {
    try {
      if (lastEventId > gapEnd(this.#recent.newest)) await this.#read(lastEventId)
      for (let i = 0; i < tries; i++) {
        const own = this.#queues.byId.get(queueId)
        const queue = own?.state === 'live' ? own : await this.#claims.take(queueId, userId)
        if (queue?.userId !== userId) throw badQueue(queueId)
        if (queue.check(lastEventId) === 'ask') await this.#ask(queue, lastEventId)
        if (queue.state === 'live') return queue
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      logFailure(this.#parts, error, 'a queue could not be opened', { queue: queueId })
    }
    throw notNow()
  }

  /** The client comes from a worker that had read further than this one has. */
  async #read(lastEventId: number): Promise<void> {
    const { last } = await this.#feed.ends()
    if (lastEventId > gapEnd(last)) await this.#refuse(wasNotIn(lastEventId))
    const late = sleep(patience, 'late', { ref: false })
    const reached = this.#delivery.reached(feedIdBefore(lastEventId))
    if ((await Promise.race([reached, late])) === 'late') throw notNow()
  }

  /**
   * Whether this id, which may look like an entry's own, is of one of the events in which an attached queue reads an entry. Of
   * an entry that memory has no more it is believed: everything up to the id has been given to the client.
   */
  isPiece(queue: Queue, id: number): boolean {
    const entryId = queue.nextInFeed(id)
    const entry = this.#recent.get(entryId)
    return entry ? queue.isOf(id, entry) : entryId > 0
  }

  /**
   * Whether we, or the owner before us, issued this id: the feed tells, as long as it reaches back so far.
   * @throws {ApiError} BAD_REQUEST: it is of an event for others, or of none; BAD_EVENT_QUEUE_ID: of one that Redis lost, and what
   * came then is in the queue again under other ids
   */
  async #ask(queue: Queue, id: number): Promise<void> {
    // For a heartbeat the entry before it, whomever that is for.
    const feedId = feedIdBefore(id)
    const entry = this.#recent.get(feedId) ?? (await this.#feed.fetch([feedId]))[0]
    if (entry) {
      if (id === feedId && !queue.isOf(id, entry)) await this.#refuse(wasNotIn(id))
      return
    }
    // The ids below a wide entry's own are its, too.
    const [next] = await this.#feed.after(feedId, 1)
    if (next && queue.isOf(id, next)) return
    if (feedId > (await this.#feed.ends()).trimmed)
      await this.#refuse(queue.issuedElsewhere < 0 ? wasNotIn(id) : badQueue(queue.id))
  }

  /** Not while Redis may lack an event that the client has been given, until the worker that gave it has put it back. */
  async #refuse(error: ApiError): Promise<never> {
    throw (await this.#run.isSettling()) ? notNow() : error
  }
}
