import { setImmediate as later } from 'node:timers/promises'

// Default share: after this time, long work for thousands of queues yields to other work.
const shareMilliseconds = 4

/** Bounds how long a piece of work may occupy the event loop before it yields. */
export class TimeSlice {
  readonly #milliseconds: number
  #since = performance.now()

  constructor(milliseconds = shareMilliseconds) {
    this.#milliseconds = milliseconds
  }

  isUsedUp(): boolean {
    return performance.now() - this.#since > this.#milliseconds
  }

  /** Resolves in a later turn of the event loop and starts a new share. */
  async next(): Promise<void> {
    await later()
    this.#since = performance.now()
  }
}
