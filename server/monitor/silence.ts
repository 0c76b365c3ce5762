/**
 * Measures how long a process or thread has given no sign of life. The observer itself can be paused or short of CPU time; such a
 * pause does not count as silence.
 */
export class Silence {
  private answeredAt = performance.now()
  private checkedAt = performance.now()

  /** `intervalMs`: how often `check` is called, in ms. */
  constructor(private readonly intervalMs: number) {}

  /** The silence in ms at the last check. */
  get ms(): number {
    return this.checkedAt - this.answeredAt
  }

  /** The process or thread has given a sign of life. */
  answered(): void {
    this.answeredAt = this.checkedAt
  }

  check(): void {
    const now = performance.now()
    const isLate = now - this.checkedAt > 2 * this.intervalMs
    this.checkedAt = now
    if (isLate) this.answeredAt = now
  }
}
