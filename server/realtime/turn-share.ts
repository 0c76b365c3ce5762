import { setImmediate as later } from 'node:timers/promises'

// Long work for thousands of queues leaves room for everything else after so many milliseconds.
const shareMilliseconds = 4

/** How long a piece of work may hold the loop before it lets others go on. */
export class TurnShare {
  readonly #milliseconds: number
  #since = performance.now()

  constructor(milliseconds = shareMilliseconds) {
    this.#milliseconds = milliseconds
  }

  isUsedUp(): boolean {
    return performance.now() - this.#since > this.#milliseconds
  }

  /** Goes on in a later turn. */
  async next(): Promise<void> {
    await later()
    this.#since = performance.now()
  }
}
