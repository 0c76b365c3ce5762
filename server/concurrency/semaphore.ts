/** Semaphore: bounds the pieces of work that run at once, and those that wait in line. */
export class Semaphore {
  private running = 0
  private readonly waiting: (() => void)[] = []

  /** `mostWaiting`: the longest line for `tryRun`. */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /** As `run`; undefined: too many pieces of work are waiting already. */
  tryRun<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.running >= this.atOnce && this.waiting.length >= this.mostWaiting) return undefined
    return this.run(work)
  }

  /** Runs the work when its turn has come. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // The piece of work that ends hands its place to the next waiting one, so no other can take it in between.
    if (this.running >= this.atOnce) await new Promise<void>(resolve => this.waiting.push(resolve))
    else this.running++
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.running--
    }
  }
}
