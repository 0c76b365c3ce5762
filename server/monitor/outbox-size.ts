import type { Reading } from '../metrics/reading.js'
import { reading } from '../metrics/reading.js'

export interface OutboxSize {
  /** Number of rows, and age of the oldest row in seconds. */
  size(): Promise<{ rows: number; oldest: number }>
}

// Interval of the count; counting some thousand rows takes PostgreSQL about 0.5 ms.
const everyMs = 5000
// Counting continues for this time after a scrape, so one scrape per minute keeps it running.
const interestMs = 90_000

/** Counts the rows of the outbox every 5 s while the metrics are scraped. */
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

  /** Empty before the first count, and while PostgreSQL is unavailable. */
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
      // keep-fresh.ts logs the outage of PostgreSQL.
      this.#seen = undefined
    } finally {
      this.#isLooking = false
    }
  }
}
