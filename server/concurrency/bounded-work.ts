import pLimit, { type LimitFunction } from 'p-limit'
import { ApiError } from '../../shared/errors.js'

/** A semaphore with a bounded line: `atOnce` tasks run at the same time, `maxWaiting` wait, and further ones are refused. */
export class BoundedWork {
  readonly #limit: LimitFunction

  constructor(
    atOnce: number,
    private readonly maxWaiting: number,
    private readonly refusal: string,
  ) {
    this.#limit = pLimit(atOnce)
  }

  /** Runs the task as soon as a place is free. @throws {ApiError} SERVER_NOT_READY if too many tasks are waiting. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const { activeCount, pendingCount, concurrency } = this.#limit
    if (activeCount + pendingCount >= concurrency + this.maxWaiting)
      throw new ApiError('SERVER_NOT_READY', this.refusal)
    return this.#limit(task)
  }
}
