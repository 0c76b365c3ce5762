/**
 * Measures how long a process or thread has been silent. The observer itself can be paused or short of CPU time; such a pause does
 * not count as silence.
 */
export class Silence {
  readonly #everyMs: number
  #answeredAt = performance.now()
  #lookedAt = performance.now()

  /** `everyMs`: how often `look` is called, in ms. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  get ms(): number {
    return this.#lookedAt - this.#answeredAt
  }

  answered(): void {
    this.#answeredAt = this.#lookedAt
  }

  look(): void {
    const now = performance.now()
    const isLate = now - this.#lookedAt > 2 * this.#everyMs
    this.#lookedAt = now
    if (isLate) this.#answeredAt = now
  }
}
