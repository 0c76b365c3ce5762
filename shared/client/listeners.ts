type Listener<Value> = (value: Value) => unknown

/** Who wants to hear of what, by name. */
export class Listeners<Names extends object> {
  readonly #byName = new Map<keyof Names, Set<Listener<never>>>()

  /** Returns how to stop it. */
  add<Name extends keyof Names>(name: Name, listener: Listener<Names[Name]>): () => void {
    const set = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, set)
    set.add(listener)
    return () => set.delete(listener)
  }

  /**
   * Calls each; a promise when at least one of them gave one, resolved when all are done. What they throw goes to `failed`:
   * one listener's mistake is no reason for the others not to hear.
   */
  tell<Name extends keyof Names>(
    name: Name,
    value: Names[Name],
    failed: (error: unknown) => void,
  ): undefined | Promise<void> {
    const pending: Promise<unknown>[] = []
    for (const listener of this.#byName.get(name) ?? []) {
      try {
        const result = (listener as Listener<Names[Name]>)(value)
        if (result instanceof Promise) pending.push(result.catch(failed))
      } catch (error) {
        failed(error)
      }
    }
    return pending.length > 0 ? Promise.all(pending).then(() => undefined) : undefined
  }

  has(name: keyof Names): boolean {
    return (this.#byName.get(name)?.size ?? 0) > 0
  }
}
