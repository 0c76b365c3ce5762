/** Semaphore: limits how many pieces of work run at the same time; further ones wait in the order of the calls. */
export class Turns {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--
    else await new Promise<void>(resolve => this.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes directly to the next waiting call, so that a later call cannot overtake it.
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }
}
