export interface BackoffOptions {
  /** Upper bound of the first delay, in ms. */
  readonly firstMs?: number
  /** Upper bound of every delay, in ms. */
  readonly maxMs?: number
  /** A random number from 0 to below 1. */
  readonly random?: () => number
}

/**
 * Exponential backoff with full jitter: the bound doubles with each attempt, and the delay is a random part of it. So
 * the clients of a restarted server reconnect spread over time.
 */
export class Backoff {
  private attempt = 0
  private readonly firstMs: number
  private readonly maxMs: number
  private readonly random: () => number

  constructor({ firstMs = 500, maxMs = 30_000, random = Math.random }: BackoffOptions = {}) {
    this.firstMs = firstMs
    this.maxMs = maxMs
    this.random = random
  }

  /** The delay before the next attempt, in ms. */
  next(): number {
    // The exponent is bounded because a larger one would only lose precision.
    const bound = Math.min(this.maxMs, this.firstMs * 2 ** Math.min(this.attempt, 30))
    this.attempt += 1
    return Math.round(this.random() * bound)
  }

  /** Starts again with the first delay, after a connection that lasted. */
  reset(): void {
    this.attempt = 0
  }
}
