/**
 * The least rate of one side of a transfer. The time in which the transfer waits for that side counts against it, and each byte gives back
 * the time that it may take. A side that is `pauseMs` late is too slow; one that was fast earlier may be no later.
 */
export class MinimumRate {
  private leftMs: number
  private since = 0
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly bytesPerSecond: number,
    private readonly pauseMs: number,
    private readonly tooSlow: () => void,
  ) {
    this.leftMs = pauseMs
  }

  /** The transfer waits for this side from now on. */
  wait(): void {
    this.since = performance.now()
    this.timer = setTimeout(this.tooSlow, this.leftMs)
  }

  /** The wait is over, and so many bytes have passed. */
  passed(bytes: number): void {
    clearTimeout(this.timer)
    const waitedMs = performance.now() - this.since
    this.leftMs = Math.min(this.pauseMs, this.leftMs - waitedMs + (bytes / this.bytesPerSecond) * 1000)
  }

  /** The transfer has ended. */
  stop(): void {
    clearTimeout(this.timer)
  }
}
