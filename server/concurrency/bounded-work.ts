import pLimit, { type LimitFunction } from 'p-limit'
import { ApiError } from '../../shared/errors.js'

/** A semaphore with a bounded line: some pieces of work run at once, some wait, and further ones are refused. */
export class BoundedWork {
  readonly #limit: LimitFunction

  constructor(
    atOnce: number,
    private readonly mostWaiting: number,
    private readonly refusal: string,
  ) {
    this.#limit = pLimit(atOnce)
  }

  /** Runs the work when its turn has come. @throws {ApiError} SERVER_NOT_READY when too many pieces of work are waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { activeCount, pendingCount, concurrency } = this.#limit
    if (activeCount + pendingCount >= concurrency + this.mostWaiting)
      throw new ApiError('SERVER_NOT_READY', this.refusal)
    return this.#limit(work)
  }
}
