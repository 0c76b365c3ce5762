/**
 * Values that are computed from an object that never changes: a row of the directory or of a table, or a list.
 *
 * Source: the object.
 * Version: the object itself: a change of a row makes a new one.
 * Bound: the number of rows in memory, times the functions that derive values.
 * Dropped: with the object, by the garbage collector.
 */
export class Derived {
  private readonly values = new WeakMap<object, Map<unknown, unknown>>()

  /** What `make` makes of the object, made once; `make` is the cache key. */
  of<From extends object, Value>(from: From, make: (from: From) => Value): Value {
    let known = this.values.get(from)
    if (!known) {
      known = new Map()
      this.values.set(from, known)
    }
    if (!known.has(make)) known.set(make, make(from))
    return known.get(make) as Value
  }
}
