type Listener<Value> = (value: Value) => unknown

/** Listeners by name. */
export class Listeners<Names extends object> {
  private readonly byName = new Map<keyof Names, Set<Listener<never>>>()

  /** Returns a function that removes the listener. */
  add<Name extends keyof Names>(name: Name, listener: Listener<Names[Name]>): () => void {
    const set = this.byName.get(name) ?? new Set()
    this.byName.set(name, set)
    set.add(listener)
    return () => set.delete(listener)
  }

  /**
   * Calls each listener; returns a promise if at least one listener did, which resolves when all have. `failed` gets
   * what they throw: an error in one listener does not keep the value from the others.
   */
  notify<Name extends keyof Names>(
    name: Name,
    value: Names[Name],
    failed: (error: unknown) => void,
  ): undefined | Promise<void> {
    const pending: Promise<unknown>[] = []
    for (const listener of this.byName.get(name) ?? []) {
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
    return (this.byName.get(name)?.size ?? 0) > 0
  }
}
