import pLimit, { type LimitFunction } from 'p-limit'

/** Runs at most `most` tasks with the same key at once; others wait in the order in which they came. */
export class KeyedLimit {
  // An entry is removed when its last task ends.
  readonly #limits = new Map<string, LimitFunction>()

  constructor(private readonly most: number) {}

  /** Runs the task as soon as its key has a free place. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(key) ?? pLimit(this.most)
    this.#limits.set(key, limit)
    try {
      return await limit(task)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key)
    }
  }

  /** For tests: keys with tasks, 0 when all have ended. */
  get size(): number {
    return this.#limits.size
  }
}
