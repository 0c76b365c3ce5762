import { ApiError } from '../../../shared/errors.js'
import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import { badQueue, notNow, type Queue, type Queues } from '../queues/index.js'
import type { Claims } from './claims.js'
import type { EventIdCheck } from './event-id-check.js'

// Another worker may take the queue over between the claim and its use; it is then claimed again.
const tries = 4

/**
 * Opens a queue for a consumer on this worker. Each poll and each attach runs this sequence:
 *
 * 1. A worker that drains refuses.
 * 2. A live queue of this worker that holds `lastEventId` is ready at once, without a promise.
 * 3. If the client has received more than this worker has read of the feed, wait for the tail (event-id-check.ts).
 * 4. Claim a queue of another worker (claims.ts): take it over in Redis (takeover.ts), insert it as `loading`, notify the former owner,
 *    backfill it from its log and the feed (backfill.ts). It is `live` then.
 * 5. Check `lastEventId`, in the feed if memory does not suffice (event-id-check.ts).
 * 6. The queue acknowledges everything up to `lastEventId`.
 */
export class Opening {
  constructor(
    private readonly deps: EngineDeps,
    private readonly queues: Queues,
    private readonly claims: Claims,
    private readonly ids: EventIdCheck,
  ) {}

  /**
   * Returns the queue, owned by this worker, with everything up to `lastEventId` acknowledged. Returns a promise only if the queue has
   * to be claimed or the check needs Redis; the queue can end between the promise's resolution and the caller's next step.
   * @throws {ApiError} BAD_EVENT_QUEUE_ID, BAD_REQUEST, SERVER_NOT_READY
   */
  open(queueId: string, userId: number, lastEventId: number): Queue | Promise<Queue> {
    this.queues.requireOpen()
    return (
      this.openHere(queueId, userId, lastEventId) ??
      this.claim(queueId, userId, lastEventId).then(queue => this.acknowledge(queue, lastEventId))
    )
  }

  /** As `open`, for a queue that is ready at once; undefined: nothing has changed, and `open` finds out why. */
  openHere(queueId: string, userId: number, lastEventId: number): Queue | undefined {
    if (!this.queues.isOpen) return undefined
    const own = this.queues.byId.get(queueId)
    if (own?.state !== 'live' || own.userId !== userId) return undefined
    if (!this.ids.hasRead(lastEventId) || !own.holds(lastEventId)) return undefined
    return this.acknowledge(own, lastEventId)
  }

  private async claim(queueId: string, userId: number, lastEventId: number): Promise<Queue> {
    try {
      if (!this.ids.hasRead(lastEventId)) await this.ids.waitForTail(lastEventId)
      for (let i = 0; i < tries; i++) {
        const own = this.queues.byId.get(queueId)
        const queue = own?.state === 'live' ? own : await this.claims.take(queueId, userId)
        if (queue?.userId !== userId) throw badQueue(queueId)
        if (queue.check(lastEventId) === 'ask') await this.ids.requireInFeed(queue, lastEventId)
        if (queue.state === 'live') return queue
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      logFailure(this.deps, error, 'a queue could not be opened', { queue: queueId })
    }
    throw notNow()
  }

  private acknowledge(queue: Queue, lastEventId: number): Queue {
    // The worker may have started to drain during the claim.
    this.queues.requireOpen()
    this.queues.acknowledge(queue, lastEventId)
    return queue
  }
}
