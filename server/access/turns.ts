/** Work that takes turns: so much of it at once, so much that waits. */
export class Turns {
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** Undefined: too much waits already. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.running >= this.atOnce && this.waiting.length >= this.mostWaiting) return undefined
    return this.run(work)
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    // Whoever has waited has been given the turn of the one before: nobody can come in between.
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
