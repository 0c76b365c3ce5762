/** The time, for all code that compares times or waits; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}
