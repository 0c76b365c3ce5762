import { setImmediate as later } from 'node:timers/promises'

// Default slice: after this time, long work for thousands of queues yields to other work.
const sliceMs = 4

/** Bounds how long a task may occupy the event loop before it yields. */
export class TimeSlice {
  private since = performance.now()

  constructor(private readonly milliseconds = sliceMs) {}

  isUsedUp(): boolean {
    return performance.now() - this.since > this.milliseconds
  }

  /** Resolves in a later turn of the event loop and starts a new slice. */
  async next(): Promise<void> {
    await later()
    this.since = performance.now()
  }
}
