/** Runs tasks with equal keys one after the other. p-limit has no keys: a limit for each key, with its removal, takes as many lines. */
export class KeyedMutex {
  /** The end of the last task of each key. An entry is removed when that task ends. */
  private readonly ends = new Map<string, Promise<void>>()

  /** Runs the task when all earlier tasks with the same key have ended. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const { ends } = this
    const result = (ends.get(key) ?? Promise.resolve()).then(task)
    const end = result.then(
      () => {},
      () => {},
    )
    ends.set(key, end)
    try {
      return await result
    } finally {
      if (ends.get(key) === end) ends.delete(key)
    }
  }
}
