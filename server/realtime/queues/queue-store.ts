import { logFailure } from '../../failures/log-failure.js'
import type { EngineDeps } from '../engine-deps.js'
import type { RestartDetection } from '../feed/restart-detection.js'
import type { QueueOptions } from '../realtime.js'
import type { Queue } from './queue.js'
import { packFacts } from './queue-facts.js'
import { encodeRefs } from './refs.js'

// How long a queue's keys outlive its idle timeout. Its owner evicts the queue long before; Redis expires it only without an owner.
const slackSeconds = 300
export function secondsToLive({ idleSeconds }: Pick<QueueOptions, 'idleSeconds'>): number {
  return Math.ceil(idleSeconds) + slackSeconds
}

/** The queues in Redis: their metadata, and each worker's list of the queues that it owns. */
export class QueueStore {
  readonly #deps: EngineDeps
  readonly #restarts: RestartDetection

  constructor(deps: EngineDeps, restarts: RestartDetection) {
    this.#deps = deps
    this.#restarts = restarts
  }

  /** Stores a new queue; false if a queue with this id exists already. */
  async create(queue: Queue, refs: readonly number[], upto: number): Promise<boolean> {
    const { functions, redis, keys, worker } = this.#deps
    const { options } = queue
    // I6: another worker needs only this metadata, the queue log and the feed to continue the queue.
    const meta = {
      user: queue.userId,
      ttl: secondsToLive(options),
      owner: worker,
      epoch: queue.epoch,
      upto,
      acked: queue.acked,
      issued: queue.issued,
      ...packFacts({ born: queue.born, snapshot: queue.shown?.text ?? null, options: options.packed }),
    }
    // The set first: an id without a queue is harmless, but a queue that is missing in the set would never be adopted.
    const [, process] = await Promise.all([
      redis.command('SADD', keys.queuesOf(worker), queue.id),
      functions.call(
        'create',
        [keys.meta(queue.id), keys.log(queue.id)],
        [secondsToLive(queue.options), refs.at(-1) ?? '', encodeRefs(refs), ...Object.entries(meta).flat()],
      ),
    ])
    if (process === null) return false
    this.#restarts.answered(queue.id, process as Buffer)
    return true
  }

  /**
   * Deletes an ended queue of this worker, unless another worker has taken it over. If Redis is unavailable, the keys stay, as
   * consistent as after a crash, until they expire.
   */
  discard(queue: Queue): void {
    this.#remove(queue).catch(error => {
      logFailure(this.#deps, error, 'a queue that has ended is still in Redis', { queue: queue.id })
    })
  }

  async #remove(queue: Queue): Promise<void> {
    const { keys, functions } = this.#deps
    await functions.call('drop', [keys.meta(queue.id), keys.log(queue.id)], ['epoch', queue.epoch])
    await this.forget([queue.id])
  }

  /** Deletes a user's queue on any worker; returns the owner, or null if the user has no such queue. */
  async removeOf(userId: number, queueId: string): Promise<string | null> {
    const { keys, functions } = this.#deps
    const owner = await functions.call('drop', [keys.meta(queueId), keys.log(queueId)], ['user', userId])
    return owner === null ? null : String(owner)
  }

  /** Adds queues to the set of this worker's queues, from which another worker adopts them if this worker dies. */
  async remember(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.#deps
    await redis.command('SADD', keys.queuesOf(worker), ...queueIds)
  }

  async forget(queueIds: readonly string[], owner = this.#deps.worker): Promise<void> {
    const { redis, keys } = this.#deps
    await redis.command('SREM', keys.queuesOf(owner), ...queueIds)
  }
}
