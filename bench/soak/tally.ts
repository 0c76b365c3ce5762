/** Counters by name. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string, count = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + count)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  /** Sorted by name. */
  get all(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(([a], [b]) => a.localeCompare(b))
  }
}
