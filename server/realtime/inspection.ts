import { randomUUID } from 'node:crypto'
import type { RedisClient } from '../redis/client.js'
import { loadFunctions } from '../redis/functions.js'
import { type Keys, keysOf } from '../redis/keys.js'
import { livingWorkers, type QueueDescription, type QueueReport, type WorkerMessage } from './ownership/index.js'

export type { QueueDescription } from './ownership/index.js'

export interface WorkerQueues {
  readonly worker: string
  /** False: the worker is dead or hangs, and its queues are unknown. */
  readonly answers: boolean
  readonly queues: readonly QueueDescription[]
}

// A worker answers within milliseconds; one that does not answer within this time is dead or hangs.
const answerTimeoutMs = 3000

/** Lists and deletes queues of all workers, from a process that is not a worker. */
export class Inspection {
  private readonly keys: Keys

  constructor(
    private readonly redis: RedisClient,
    prefix: string,
    org: string,
  ) {
    this.keys = keysOf(prefix, org)
  }

  /** Asks each worker for descriptions of its queues. */
  async workers(): Promise<WorkerQueues[]> {
    const workers = ((await this.redis.command('HKEYS', this.keys.checkpoints)) as Buffer[]).map(String)
    const asker = `asker:${randomUUID()}`
    const found = new Map<string, QueueDescription[]>()
    const silent = new Set(workers)
    let resolve = (): void => {}
    const answered = new Promise<void>(done => {
      resolve = done
    })
    const receive = (message: Buffer): void => {
      const { worker, queues, isLast } = JSON.parse(message.toString()) as QueueReport
      found.set(worker, [...(found.get(worker) ?? []), ...queues])
      if (isLast) silent.delete(worker)
      if (silent.size === 0) resolve()
    }
    let subscribed = (): void => {}
    // An answer that is published before Redis has this subscription would be lost.
    const isSubscribed = new Promise<void>(done => {
      subscribed = done
    })
    const end = this.redis.subscribe({ [this.keys.channel(asker)]: receive }, subscribed)
    const timer = setTimeout(resolve, answerTimeoutMs)
    try {
      await Promise.race([isSubscribed, answered])
      const request = JSON.stringify({ asker } satisfies WorkerMessage)
      for (const worker of workers) await this.redis.command('PUBLISH', this.keys.channel(worker), request)
      if (workers.length > 0) await answered
    } finally {
      clearTimeout(timer)
      end()
    }
    return workers.map(worker => ({ worker, answers: !silent.has(worker), queues: found.get(worker) ?? [] }))
  }

  /** The version of each worker that is alive. */
  async versions(): Promise<string[]> {
    return [...(await livingWorkers(this.redis, this.keys)).values()]
  }

  /** Deletes a queue: a waiting poll ends with BAD_EVENT_QUEUE_ID, an attached socket with 4010. False: the user has no such queue. */
  async drop(queueId: string, userId: number): Promise<boolean> {
    const functions = await loadFunctions(this.redis)
    const keys = this.keys
    const owner = await functions.call('drop', [keys.meta(queueId), keys.log(queueId)], ['user', userId])
    if (owner === null) return false
    const request = JSON.stringify({ dropped: queueId } satisfies WorkerMessage)
    await this.redis.command('PUBLISH', keys.channel(String(owner)), request)
    return true
  }
}
