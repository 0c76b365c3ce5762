import { ApiError } from '../../shared/errors.js'
import { Semaphore } from '../access/semaphore.js'
import { budgets } from '../budgets.js'

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
   * Starts the work of a request of this size in bytes: at once if the request is small or no large one runs. The work calls `ended`
   * when its answer is made.
   * @throws {ApiError} SERVER_NOT_READY when too many large requests are waiting.
   */
  start(bytes: number, work: (ended: () => void) => void): void {
    if (bytes <= budgets.largeRequest.most) {
      work(nothing)
      return
    }
    const turn = this.#semaphore.tryRun(
      () =>
        new Promise<void>(resolve => {
          const timer = setTimeout(resolve, longestTurnMs)
          work(() => {
            clearTimeout(timer)
            resolve()
          })
        }),
    )
    if (!turn) throw new ApiError('SERVER_NOT_READY', 'Too many large requests are waiting: try again.')
  }
}

const nothing = () => {}
