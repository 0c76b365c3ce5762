import { ApiError } from '../../shared/errors.js'
import { Semaphore } from '../concurrency/semaphore.js'
import { budgets } from '../config/budgets.js'

const mostWaiting = 50
// A large request that waits for something else, as a poll for events does, must not hold up the next one.
const longestTurnMs = 1000

/**
 * Runs one large request of this worker at a time. Parsing and rendering a long text takes some ten ms, so a small request waits for
 * one large request and not for those of all other callers.
 */
export class LargeRequests {
  readonly #semaphore = new Semaphore(1, mostWaiting)

  /**
   * Undefined: the request, of this size in bytes, is not large. Otherwise resolves when its turn has come, with what ends the turn.
   * @throws {ApiError} SERVER_NOT_READY when too many large requests are waiting.
   */
  turnFor(bytes: number): Promise<() => void> | undefined {
    if (bytes <= budgets.largeRequest.most) return undefined
    return new Promise((resolve, reject) => {
      const turn = this.#semaphore.tryRun(
        () =>
          new Promise<void>(ended => {
            const timer = setTimeout(ended, longestTurnMs)
            resolve(() => {
              clearTimeout(timer)
              ended()
            })
          }),
      )
      if (!turn) reject(new ApiError('SERVER_NOT_READY', 'Too many large requests are waiting: try again.'))
    })
  }
}
