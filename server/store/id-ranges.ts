/** Ids from `from` to below `to`. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** The ranges in PostgreSQL's text of an int8multirange, `{[1,5),[7,)}`. */
export function rangesOf(text: string): IdRange[] {
  return Array.from(text.matchAll(/\[(\d+),(\d*)\)/g), ([, from, to]) => ({
    from: Number(from),
    to: to === '' ? Number.POSITIVE_INFINITY : Number(to),
  }))
}

/** A test whether ascending ranges contain an id, for ids that mostly ascend. */
export function rangeTest(ranges: readonly IdRange[]): (id: number) => boolean {
  // The ids from `low` to below `high` have the result `inside`.
  let low = 0
  let high = 0
  let inside = false
  return id => {
    if (id >= low && id < high) return inside
    // The first range that ends above the id.
    let [first, end] = [0, ranges.length]
    while (first < end) {
      const middle = (first + end) >> 1
      if ((ranges[middle] as IdRange).to > id) end = middle
      else first = middle + 1
    }
    const range = ranges[first]
    inside = range !== undefined && id >= range.from
    low = inside ? (range as IdRange).from : (ranges[first - 1]?.to ?? 0)
    high = inside ? (range as IdRange).to : (range?.from ?? Number.POSITIVE_INFINITY)
    return inside
  }
}
