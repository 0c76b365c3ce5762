import { BoundedWork } from '../concurrency/bounded-work.js'
import { budgets } from '../config/budgets.js'

const mostWaiting = 50
// A large request that waits for something else, as a poll for events does, must not hold up the next one.
const longestTurnMs = 1000

/**
 * Runs one large request of this worker at a time. Parsing and rendering a long text takes some ten ms, so a small request waits for
 * one large request and not for those of all other callers.
 */
export class LargeRequests {
  private readonly work = new BoundedWork(1, mostWaiting, 'Too many large requests are waiting: try again.', {
    rests: true,
  })

  /**
   * Undefined: the request, of this size in bytes, is not large. Otherwise resolves when its turn has come, with what ends the turn.
   * @throws {ApiError} SERVER_NOT_READY when too many large requests are waiting.
   */
  turnFor(bytes: number): Promise<() => void> | undefined {
    if (bytes <= budgets.largeRequest.most) return undefined
    return new Promise((resolve, reject) => {
      const turn = () =>
        new Promise<void>(ended => {
          const timer = setTimeout(ended, longestTurnMs)
          resolve(() => {
            clearTimeout(timer)
            ended()
          })
        })
      this.work.run(turn).catch(reject)
    })
  }
}
