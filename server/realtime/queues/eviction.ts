import type { EngineDeps } from '../engine-deps.js'
import type { Ending, Queue } from './queue.js'
import type { QueueStore } from './queue-store.js'
import type { Queues } from './queues.js'

/** Ends queues of this worker in its memory and in Redis. */
export class Eviction {
  constructor(
    private readonly deps: Pick<EngineDeps, 'log' | 'counts'>,
    private readonly queues: Queues,
    private readonly store: Pick<QueueStore, 'discard'>,
  ) {}

  /** Evicts a queue that is incomplete or too long; its client gets BAD_EVENT_QUEUE_ID and registers again. */
  evict(queue: Queue, reason: string): void {
    this.deps.log.info({ queue: queue.id, user: queue.userId, reason }, 'a queue was evicted')
    this.deps.counts.lost++
    this.end(queue, 'gone')
  }

  /** Ends a queue that is complete: it was idle for too long, or its user was revoked. */
  end(queue: Queue, ending: Ending): void {
    // The registration itself removes the Redis keys of a queue that is still being registered.
    const isNew = queue.state === 'new'
    this.queues.remove(queue, ending)
    if (!isNew) this.store.discard(queue)
  }
}
