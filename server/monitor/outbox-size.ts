import type { Reading } from '../metrics/reading.js'
import { reading } from '../metrics/reading.js'

export interface OutboxSize {
  /** Rows, and seconds since the oldest was stored. */
  size(): Promise<{ rows: number; oldest: number }>
}

// A count of some thousand rows takes half a millisecond of the database.
const everyMs = 5000
// It goes on for so long after somebody asked: once a minute is enough to keep it going.
const interestMs = 90_000

/** How much waits in the outbox: looked at every few seconds, as long as somebody wants to know. */
export class OutboxWatch {
  readonly #outbox: OutboxSize
  readonly #timer: NodeJS.Timeout
  #askedAt = Number.NEGATIVE_INFINITY
  #isLooking = false
  #seen: { rows: number; oldest: number } | undefined

  constructor(outbox: OutboxSize) {
    this.#outbox = outbox
    this.#timer = setInterval(() => void this.#look(), everyMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** None before the first look, and while the database does not answer. */
  readings(): Reading[] {
    const isFirst = performance.now() - this.#askedAt > interestMs
    this.#askedAt = performance.now()
    if (isFirst) void this.#look()
    if (!this.#seen) return []
    const { rows, oldest } = this.#seen
    return [reading('parley_outbox_rows', rows), reading('parley_outbox_oldest_seconds', oldest)]
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    if (performance.now() - this.#askedAt > interestMs) {
      this.#seen = undefined
      return
    }
    this.#isLooking = true
    try {
      this.#seen = await this.#outbox.size()
    } catch {
      // That the database is away is told elsewhere, once.
      this.#seen = undefined
    } finally {
      this.#isLooking = false
    }
  }
}
