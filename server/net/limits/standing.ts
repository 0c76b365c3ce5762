/** What one caller has used of its limit in the window that runs. */
export class Standing {
  /** Requests in this window: of all workers as they were last heard, and our own since. */
  count = 0
  /** Of these, what the other workers have not been told. */
  untold = 0
  /** Of these, what is being told. */
  telling = 0
  /** Milliseconds since the epoch; 0 before the first window. */
  endsAt = 0
  private tail = ''

  constructor(
    readonly key: string,
    readonly limit: number,
    private readonly head: string,
  ) {}

  begin(endsAt: number): void {
    this.count = 0
    this.untold = 0
    this.telling = 0
    this.endsAt = endsAt
    this.tail = `\r\nX-RateLimit-Reset: ${Math.ceil(endsAt / 1000)}`
  }

  get remaining(): number {
    return this.count < this.limit ? this.limit - this.count : 0
  }

  /** The three lines of X-RateLimit-*, to stand behind the value of another header: one native call writes them all. */
  get lines(): string {
    return this.head + this.remaining + this.tail
  }
}
