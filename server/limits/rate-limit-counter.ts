/** Rate-limit counter of one caller in the current window. */
export class RateLimitCounter {
  /** Requests in this window: the total of all workers at the last report, and this worker's since. */
  count = 0
  /** Requests among them that this worker has not reported to Redis. */
  unreported = 0
  /** Requests among them whose report awaits an answer. */
  reporting = 0
  /** End of the window in ms since the epoch; 0 before the first window. */
  endsAt = 0
  private tail = ''

  constructor(
    readonly key: string,
    readonly limit: number,
    private readonly head: string,
  ) {}

  begin(endsAt: number): void {
    this.count = 0
    this.unreported = 0
    this.reporting = 0
    this.endsAt = endsAt
    this.tail = `\r\nX-RateLimit-Reset: ${Math.ceil(endsAt / 1000)}`
  }

  get remaining(): number {
    return this.count < this.limit ? this.limit - this.count : 0
  }

  /** The three X-RateLimit-* lines, to be appended to the value of another header: one native call writes them all. */
  get lines(): string {
    return this.head + this.remaining + this.tail
  }
}
