export interface BackoffOptions {
  /** Upper bound of the first pause, in milliseconds. */
  readonly firstMs?: number
  /** Upper bound of every pause. */
  readonly maxMs?: number
  /** From 0 to below 1. */
  readonly random?: () => number
}

/**
 * Pauses before the next attempt: the bound doubles with each, the pause itself is a random part of it. After a restart of
 * the server its clients come back spread over the time, not all in the same moment.
 */
export class Backoff {
  #attempt = 0
  readonly #firstMs: number
  readonly #maxMs: number
  readonly #random: () => number

  constructor({ firstMs = 500, maxMs = 30_000, random = Math.random }: BackoffOptions = {}) {
    this.#firstMs = firstMs
    this.#maxMs = maxMs
    this.#random = random
  }

  /** Milliseconds to wait now. */
  next(): number {
    // 2 ** 30 times the first pause is above any sensible bound; more would only lose precision.
    const bound = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#attempt, 30))
    this.#attempt += 1
    return Math.round(this.#random() * bound)
  }

  /** A connection held: the next pause is a short one again. */
  reset(): void {
    this.#attempt = 0
  }
}
