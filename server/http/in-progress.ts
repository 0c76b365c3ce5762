/** An entry that knows its index in the list, so that removal needs no search. */
export interface Placed {
  /** Written only by `InProgress`; -1: not in the list. */
  place: number
}

/**
 * Requests that have no answer yet. An array instead of a Set: V8 replaces a Set's table every few hundred changes, and each old table
 * refers to the next one. Once an old table has reached the old generation, all requests of later tables outlive their answers until a full
 * collection: with a thousand waiting polls, 1 kB was copied per request.
 */
export class InProgress<Request extends Placed> {
  private readonly all: Request[] = []

  get size(): number {
    return this.all.length
  }

  add(request: Request): void {
    request.place = this.all.push(request) - 1
  }

  /** Ignores a request that is no longer in the list: a client may leave while the rest of a long answer is still unsent. */
  delete(request: Request): void {
    const { place } = request
    if (place < 0) return
    request.place = -1
    const last = this.all.pop() as Request
    if (last === request) return
    this.all[place] = last
    last.place = place
  }

  /** A copy: the caller may remove entries while it iterates. */
  list(): Request[] {
    return [...this.all]
  }
}
