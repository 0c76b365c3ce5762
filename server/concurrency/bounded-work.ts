import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { ApiError } from '../../shared/errors.js'

// A task that waited for something else must not delay the next one for as long.
const longestRestMs = 250

/**
 * A semaphore with a bounded line: `atOnce` tasks run at the same time, `maxWaiting` wait, and further ones are refused.
 * `rests`: after a task its place stays empty for as long as the task took, at most 250 ms, so that these tasks leave at least half of
 * the time of the worker and of the database to others.
 */
export class BoundedWork {
  private readonly limit: LimitFunction

  constructor(
    atOnce: number,
    private readonly maxWaiting: number,
    private readonly refusal: string,
    private readonly options: { readonly rests?: boolean } = {},
  ) {
    this.limit = pLimit(atOnce)
  }

  /** Runs the task as soon as a place is free. @throws {ApiError} SERVER_NOT_READY if too many tasks are waiting. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const { activeCount, pendingCount, concurrency } = this.limit
    if (activeCount + pendingCount >= concurrency + this.maxWaiting)
      throw new ApiError('SERVER_NOT_READY', this.refusal)
    return this.options.rests ? this.runAndRest(task) : this.limit(task)
  }

  private runAndRest<T>(task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.limit(async () => {
        const begin = performance.now()
        await Promise.resolve().then(task).then(resolve, reject)
        await sleep(Math.min(longestRestMs, performance.now() - begin))
      })
    })
  }
}
