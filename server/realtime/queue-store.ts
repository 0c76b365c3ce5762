import { logFailure } from '../log-failure.js'
import type { Parts } from './parts.js'
import type { Queue } from './queue.js'
import { packFacts } from './queue-facts.js'
import type { QueueOptions } from './realtime.js'
import type { RedisProcesses } from './redis-processes.js'
import { encodeRefs } from './refs.js'

// What a queue's keys outlive its idle time by: its owner collects it long before, Redis only when nobody does.
const slackSeconds = 300
export function secondsToLive({ idleSeconds }: Pick<QueueOptions, 'idleSeconds'>): number {
  return Math.ceil(idleSeconds) + slackSeconds
}

/** Queues in Redis: that they are there, and whose. */
export class QueueStore {
  readonly #parts: Parts
  readonly #processes: RedisProcesses

  constructor(parts: Parts, processes: RedisProcesses) {
    this.#parts = parts
    this.#processes = processes
  }

  /** False when there is one with this id already. */
  async create(queue: Queue, refs: readonly number[], upto: number): Promise<boolean> {
    const { functions, redis, keys, worker } = this.#parts
    const { options } = queue
    // I6: another worker needs nothing beside this, the log and the feed to go on with the queue.
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
    // First the set: an id without a queue does no harm, a queue that nobody adopts does.
    const [, process] = await Promise.all([
      redis.command('SADD', keys.queuesOf(worker), queue.id),
      functions.call(
        'create',
        [keys.meta(queue.id), keys.log(queue.id)],
        [secondsToLive(queue.options), refs.at(-1) ?? '', encodeRefs(refs), ...Object.entries(meta).flat()],
      ),
    ])
    if (process === null) return false
    this.#processes.answered(queue.id, process as Buffer)
    return true
  }

  /**
   * Deletes a queue that was ours and has ended, unless another worker has taken it over. What is left where Redis cannot be asked
   * is as whole as a crash would leave it, and goes when its time is over.
   */
  discard(queue: Queue): void {
    this.#remove(queue).catch(error => {
      logFailure(this.#parts, error, 'a queue that has ended is still in Redis', { queue: queue.id })
    })
  }

  async #remove(queue: Queue): Promise<void> {
    const { keys, functions } = this.#parts
    await functions.call('drop', [keys.meta(queue.id), keys.log(queue.id)], ['epoch', queue.epoch])
    await this.forget([queue.id])
  }

  /** Deletes a user's queue, whoever owns it; its owner, or null when there is none. */
  async removeOf(userId: number, queueId: string): Promise<string | null> {
    const { keys, functions } = this.#parts
    const owner = await functions.call('drop', [keys.meta(queueId), keys.log(queueId)], ['user', userId])
    return owner === null ? null : String(owner)
  }

  /** They are this worker's from now on: whoever finds it dead adopts them. */
  async remember(queueIds: readonly string[]): Promise<void> {
    const { redis, keys, worker } = this.#parts
    await redis.command('SADD', keys.queuesOf(worker), ...queueIds)
  }

  async forget(queueIds: readonly string[], owner = this.#parts.worker): Promise<void> {
    const { redis, keys } = this.#parts
    await redis.command('SREM', keys.queuesOf(owner), ...queueIds)
  }
}
