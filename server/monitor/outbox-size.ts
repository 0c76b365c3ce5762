import type { Reading } from '../metrics/reading.js'
import { reading } from '../metrics/reading.js'

/** Counts the outbox; the store implements it. */
export interface OutboxSize {
  /** Number of rows, and age of the oldest row in seconds. */
  size(): Promise<{ rows: number; oldest: number }>
}

// Interval of the count; counting some thousand rows takes PostgreSQL about 0.5 ms.
const countIntervalMs = 5000
// Counting continues for this time after a scrape, so one scrape per minute keeps it running.
const afterScrapeMs = 90_000

/** Counts the rows of the outbox every 5 s while the metrics are scraped. */
export class OutboxWatch {
  readonly #outbox: OutboxSize
  readonly #timer: NodeJS.Timeout
  #scrapedAt = Number.NEGATIVE_INFINITY
  #isCounting = false
  #last: { rows: number; oldest: number } | undefined

  constructor(outbox: OutboxSize) {
    this.#outbox = outbox
    this.#timer = setInterval(() => void this.#count(), countIntervalMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Empty before the first count, and while PostgreSQL is unavailable. */
  readings(): Reading[] {
    const isFirst = performance.now() - this.#scrapedAt > afterScrapeMs
    this.#scrapedAt = performance.now()
    if (isFirst) void this.#count()
    if (!this.#last) return []
    const { rows, oldest } = this.#last
    return [reading('parley_outbox_rows', rows), reading('parley_outbox_oldest_seconds', oldest)]
  }

  async #count(): Promise<void> {
    if (this.#isCounting) return
    if (performance.now() - this.#scrapedAt > afterScrapeMs) {
      this.#last = undefined
      return
    }
    this.#isCounting = true
    try {
      this.#last = await this.#outbox.size()
    } catch {
      // directory-refresh.ts logs the outage of PostgreSQL.
      this.#last = undefined
    } finally {
      this.#isCounting = false
    }
  }
}
