import type { Reading } from '../metrics/reading.js'

// Interval of the count; counting some thousand rows takes PostgreSQL about 0.5 ms.
const countIntervalMs = 5000
// Counting continues for this time after a scrape, so one scrape per minute keeps it running.
const afterScrapeMs = 90_000

/** Counts rows of the database every 5 s while the metrics are scraped. */
export class CountedRows {
  private readonly timer: NodeJS.Timeout
  private scrapedAt = Number.NEGATIVE_INFINITY
  private isCounting = false
  private last: Reading[] = []

  constructor(private readonly count: () => Promise<Reading[]>) {
    this.timer = setInterval(() => void this.read(), countIntervalMs).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Empty before the first count, and while PostgreSQL is unavailable. */
  readings(): Reading[] {
    const isFirst = performance.now() - this.scrapedAt > afterScrapeMs
    this.scrapedAt = performance.now()
    if (isFirst) void this.read()
    return this.last
  }

  private async read(): Promise<void> {
    if (this.isCounting) return
    if (performance.now() - this.scrapedAt > afterScrapeMs) {
      this.last = []
      return
    }
    this.isCounting = true
    try {
      this.last = await this.count()
    } catch {
      // directory-refresh.ts logs the outage of PostgreSQL.
      this.last = []
    } finally {
      this.isCounting = false
    }
  }
}
