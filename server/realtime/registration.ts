import { randomUUID } from 'node:crypto'
import type { Feed } from './feed.js'
import type { Parts } from './parts.js'
import { Queue } from './queue.js'
import { type QueueLog, renewalAfter } from './queue-log.js'
import { badQueue, type Queues } from './queues.js'
import type { QueueOptions, Snapshot } from './realtime.js'
import type { Recent } from './recent.js'
import type { OptionsPool } from './shared-options.js'
import { ShownTransactions } from './snapshot.js'

/** Makes queues: first in memory, where they take part at once, then, when the state was read, in Redis. */
export class Registration {
  readonly #parts: Parts
  readonly #queues: Queues
  readonly #pool: OptionsPool
  readonly #log: QueueLog
  readonly #feed: Feed
  readonly #recent: Recent

  constructor(parts: Parts, queues: Queues, pool: OptionsPool, log: QueueLog, feed: Feed, recent: Recent) {
    this.#parts = parts
    this.#queues = queues
    this.#pool = pool
    this.#log = log
    this.#feed = feed
    this.#recent = recent
  }

  register(options: QueueOptions): Queue {
    const queue = new Queue(randomUUID(), options.userId, this.#pool.take(options), 1, 'new', this.#recent.newest)
    queue.idleSince = this.#parts.clock.now()
    this.#queues.add(queue)
    return queue
  }

  async began(queueId: string, snapshot: Snapshot | null): Promise<void> {
    const queue = this.#queues.byId.get(queueId)
    if (queue?.state !== 'new') throw badQueue(queueId)
    try {
      if (snapshot !== null) await this.#leaveOutShown(queue, new ShownTransactions(snapshot))
      await this.#log.create(queue)
    } catch (error) {
      this.#queues.remove(queue, 'gone')
      throw error
    }
    queue.idleSince = this.#parts.clock.now()
    queue.renewAt = renewalAfter(queue.idleSince, queue)
    queue.state = 'live'
  }

  /** What came before the snapshot was known is looked through once more; what comes from now on is asked as it comes. */
  async #leaveOutShown(queue: Queue, shown: ShownTransactions): Promise<void> {
    this.#queues.leaveOut(queue, shown)
    const before = queue.idsAfter(0, Number.POSITIVE_INFINITY)
    const keep: number[] = []
    for (const id of before) {
      const entry = this.#recent.get(id) ?? (await this.#feed.fetch([id]))[0]
      if (entry && !shown.has(entry.xid)) keep.push(id)
    }
    queue.load([...keep, ...queue.idsAfter(before.at(-1) ?? 0, Number.POSITIVE_INFINITY)], 0)
  }
}
