// Difference between monotonic clock and system clock beyond which the system clock must have been set.
const steppedMs = 2
// Half of the millisecond to which `Date.now()` truncates.
const roundingMs = 0.5

/**
 * The system time in ms with fractions: delays between Redis and a worker are often shorter than the 1 ms resolution of `Date.now()`.
 * Follows changes of the system clock.
 */
export class WallClock {
  private correction = performance.timeOrigin

  now(): number {
    return performance.now() + this.correction
  }

  /** The engine calls this once per turn of queue maintenance. */
  adjust(): void {
    const off = Date.now() + roundingMs - this.now()
    if (Math.abs(off) > steppedMs) this.correction += off
  }
}
