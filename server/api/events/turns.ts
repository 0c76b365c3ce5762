/** Lets only so many pieces of work go on at once; the others wait in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--
    else await new Promise<void>(resolve => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Handed on, so that nobody who comes now is before those who wait.
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }
}
