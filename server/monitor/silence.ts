/**
 * How long a process or a thread has been silent, seen by one that may itself have been stopped, or short of time: what it did not
 * see does not count.
 */
export class Silence {
  readonly #everyMs: number
  #heardAt = performance.now()
  #lookedAt = performance.now()

  /** `everyMs`: how often `look` is called, in ms. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  get ms(): number {
    return this.#lookedAt - this.#heardAt
  }

  heard(): void {
    this.#heardAt = this.#lookedAt
  }

  look(): void {
    const now = performance.now()
    const isLate = now - this.#lookedAt > 2 * this.#everyMs
    this.#lookedAt = now
    if (isLate) this.#heardAt = now
  }
}
