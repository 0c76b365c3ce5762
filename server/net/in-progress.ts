/** What knows its own place in the list, so that taking it out needs no search. */
export interface Placed {
  /** Written by `InProgress` alone; -1: it is not in the list. */
  place: number
}

/**
 * Requests that are not answered yet. An array, not a Set: a Set makes itself a new table every few hundred changes, and each
 * table that it left names the next one. One of them grown old, and all requests that were in the tables after it outlive
 * their answers until the old generation is collected: with a thousand polls that wait, 1 kB was copied for each that came.
 */
export class InProgress<Request extends Placed> {
  readonly #all: Request[] = []

  get size(): number {
    return this.#all.length
  }

  add(request: Request): void {
    request.place = this.#all.push(request) - 1
  }

  /** Does nothing for one that is out already: a caller may leave while the rest of a long answer waits for it. */
  delete(request: Request): void {
    const { place } = request
    if (place < 0) return
    request.place = -1
    const last = this.#all.pop() as Request
    if (last === request) return
    this.#all[place] = last
    last.place = place
  }

  /** As they are now: what is done with them may take them out. */
  list(): Request[] {
    return [...this.#all]
  }
}
