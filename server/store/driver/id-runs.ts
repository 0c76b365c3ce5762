import { lowerBound } from './id-ranges.js'

/** Some ids of a shared ascending list, as runs of neighbouring positions, so that the ids are not copied. */
export class IdRuns {
  private _count = 0
  /** In turn the first position of a run and the position after its last. */
  private bounds: number[] = []

  /** `ids`: ascending; ids may be added at its end later. */
  constructor(readonly ids: readonly number[]) {}

  /** All of the ids. */
  static all(ids: readonly number[]): IdRuns {
    const runs = new IdRuns(ids)
    runs.add(0, ids.length)
    return runs
  }

  get count(): number {
    return this._count
  }

  /** The smallest id; only where there is one. */
  get first(): number {
    return this.ids[this.bounds[0] as number] as number
  }

  /** The largest id; only where there is one. */
  get last(): number {
    return this.ids[(this.bounds.at(-1) as number) - 1] as number
  }

  /** Adds the ids at the positions from `from` to below `to`, which come after those that were added before. */
  add(from: number, to: number): void {
    if (from >= to) return
    this._count += to - from
    const { length } = this.bounds
    // Most lists have one run, and an array grows by more room than that takes.
    if (length === 0) this.bounds = [from, to]
    else if (this.bounds[length - 1] === from) this.bounds[length - 1] = to
    else this.bounds.push(from, to)
  }

  forEachRun(visit: (from: number, to: number) => void): void {
    for (let i = 0; i < this.bounds.length; i += 2) visit(this.bounds[i] as number, this.bounds[i + 1] as number)
  }

  /** How many are not below `id`. */
  countSince(id: number): number {
    if (this._count === 0 || this.first >= id) return this._count
    if (this.last < id) return 0
    const first = lowerBound(this.ids, id)
    let count = 0
    for (let i = this.bounds.length - 2; i >= 0; i -= 2) {
      const [from, to] = [this.bounds[i] as number, this.bounds[i + 1] as number]
      if (to <= first) break
      count += to - Math.max(from, first)
    }
    return count
  }

  /** Those that are not below `id`. */
  since(id: number): IdRuns {
    if (this.first >= id) return this
    const since = new IdRuns(this.ids)
    const first = lowerBound(this.ids, id)
    this.forEachRun((from, to) => since.add(Math.max(from, first), to))
    return since
  }

  /** Those that are in another ascending list, too. */
  common(list: readonly number[]): number[] {
    const common: number[] = []
    if (this._count === 0) return common
    for (let i = lowerBound(list, this.first); i < list.length && (list[i] as number) <= this.last; i++) {
      if (this.has(list[i] as number)) common.push(list[i] as number)
    }
    return common
  }

  values(): number[] {
    const values: number[] = []
    this.forEachRun((from, to) => {
      for (let i = from; i < to; i++) values.push(this.ids[i] as number)
    })
    return values
  }

  private has(id: number): boolean {
    const position = lowerBound(this.ids, id)
    // Inside of a run, the number of bounds up to the position is odd.
    return this.ids[position] === id && lowerBound(this.bounds, position + 1) % 2 === 1
  }
}
