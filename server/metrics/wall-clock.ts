// What the process' own clock may differ from the system's before the system's is taken to have been set.
const steppedMs = 2
// Half of what the system's clock leaves off.
const roundingMs = 0.5

/**
 * The system's time in fractions of a millisecond: what `Date.now()` leaves off would be most of a delay that is measured between
 * Redis and a worker. Follows when the system's clock is set.
 */
export class WallClock {
  #correction = performance.timeOrigin

  now(): number {
    return performance.now() + this.#correction
  }

  /** To be called now and then. */
  adjust(): void {
    const off = Date.now() + roundingMs - this.now()
    if (Math.abs(off) > steppedMs) this.#correction += off
  }
}
