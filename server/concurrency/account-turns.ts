import { ApiError } from '../../shared/errors.js'
import { FairQueue, RecentUse } from './fair-queue.js'

interface Turn {
  readonly account: number
  readonly begin: () => void
}

/**
 * Runs one task at a time. Next is the account that used least time lately, so that one with many tasks delays another one by the task that is
 * running.
 */
export class AccountTurns {
  private readonly use = new RecentUse()
  private readonly waiting = new FairQueue<Turn>(this.use)
  private isRunning = false

  /** `mostWaiting`: tasks of one account; `refusal`: the message beyond that. */
  constructor(
    private readonly mostWaiting: number,
    private readonly refusal: string,
  ) {}

  /** @throws {ApiError} SERVER_NOT_READY if too many tasks of the account wait */
  async run<T>(account: number, task: () => Promise<T>): Promise<T> {
    if (this.waiting.sizeOf(account) >= this.mostWaiting) throw new ApiError('SERVER_NOT_READY', this.refusal)
    await this.turnOf(account)
    const begin = performance.now()
    try {
      return await task()
    } finally {
      this.use.add(account, performance.now() - begin)
      this.next()
    }
  }

  private turnOf(account: number): Promise<void> {
    return new Promise(begin => {
      this.waiting.add({ account, begin })
      if (!this.isRunning) this.next()
    })
  }

  private next(): void {
    const turn = this.waiting.take()
    this.isRunning = turn !== undefined
    turn?.begin()
  }
}
