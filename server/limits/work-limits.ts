import { ApiError } from '../../shared/errors.js'
import { LoopTurns } from '../concurrency/loop-turns.js'
import { Semaphore } from '../concurrency/semaphore.js'
import { budgets } from '../config/budgets.js'

const mostWaiting = 100

/** How much expensive work a worker does at once, for all callers together. A worker has one. */
export class WorkLimits {
  /** An answer that may occupy some ten megabytes of memory until it is sent. */
  readonly answersOfMany = new BoundedWork(
    budgets.answersOfMany.most,
    'Too many requests for long lists of messages are running: retry.',
  )
  /** A search, which may take seconds in the database; `Ctx.searching` has one connection for each. */
  readonly searches = new BoundedWork(budgets.searchesAtOnce.most, 'Too many searches are under way: try again.')
  /**
   * Reading the state for a register: it occupies a database connection, a core of the database and then the event loop. When thousands
   * of clients register again at once, other requests still need all three. There are as many workers as cores, so one at a time is enough.
   */
  readonly stateReads = new Semaphore(1)
  /** Work that occupies the event loop for milliseconds. */
  readonly longTurns = new LoopTurns()
}

/** Work of one kind: some at once, 100 waiting. */
class BoundedWork {
  private readonly semaphore: Semaphore

  constructor(
    atOnce: number,
    private readonly refusal: string,
  ) {
    this.semaphore = new Semaphore(atOnce, mostWaiting)
  }

  /** @throws {ApiError} SERVER_NOT_READY when too many pieces of work are waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.semaphore.tryRun(work)
    if (!result) throw new ApiError('SERVER_NOT_READY', this.refusal)
    return await result
  }
}
