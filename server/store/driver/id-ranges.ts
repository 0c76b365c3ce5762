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

/** The ids from 0 on that are in none of the ranges; these ascend without overlaps. */
export function gapsBetween(ranges: readonly IdRange[]): IdRange[] {
  const gaps: IdRange[] = []
  let next = 0
  for (const { from, to } of ranges) {
    if (from > next) gaps.push({ from: next, to: from })
    next = to
  }
  if (next < Number.POSITIVE_INFINITY) gaps.push({ from: next, to: Number.POSITIVE_INFINITY })
  return gaps
}

/** The first of the positions from `low` to below `high` whose id is not below `id`, or `high`; the ids ascend. */
export function lowerBound(ids: readonly number[], id: number, low = 0, high = ids.length): number {
  let [first, end] = [low, high]
  while (first < end) {
    const middle = (first + end) >> 1
    if ((ids[middle] as number) < id) first = middle + 1
    else end = middle
  }
  return first
}

/** Whether an ascending list of ids contains an id. */
export const holdsId = (ids: readonly number[], id: number): boolean => ids[lowerBound(ids, id)] === id

/** The position of the first of the ascending ranges, from position `low` on, that ends above `id`. */
function firstAbove(ranges: readonly IdRange[], id: number, low = 0): number {
  let [first, end] = [low, ranges.length]
  while (first < end) {
    const middle = (first + end) >> 1
    if ((ranges[middle] as IdRange).to > id) end = middle
    else first = middle + 1
  }
  return first
}

/** A list of ascending ids, and ascending ranges of ids. */
export interface RangedIds {
  ids: readonly number[]
  ranges: readonly IdRange[]
}

/**
 * Visits those ids, of the positions from `low` to below `high`, that are in one of the ranges, as runs of positions from
 * `from` to below `to`. Skips the others without a look at each.
 */
export function forEachRunWithin(
  { ids, ranges }: RangedIds,
  visit: (from: number, to: number) => void,
  low = 0,
  high = ids.length,
): void {
  let position = low
  let nextRange = 0
  while (position < high) {
    nextRange = firstAbove(ranges, ids[position] as number, nextRange)
    const range = ranges[nextRange]
    if (!range) return
    const first = lowerBound(ids, range.from, position, high)
    position = lowerBound(ids, range.to, first, high)
    if (first < position) visit(first, position)
  }
}

/** A test whether ascending ranges contain an id, for ids that mostly ascend. */
export function rangeTest(ranges: readonly IdRange[]): (id: number) => boolean {
  // The ids from `low` to below `high` have the result `inside`.
  let low = 0
  let high = 0
  let inside = false
  return id => {
    if (id >= low && id < high) return inside
    const first = firstAbove(ranges, id)
    const range = ranges[first]
    inside = range !== undefined && id >= range.from
    low = inside ? (range as IdRange).from : (ranges[first - 1]?.to ?? 0)
    high = inside ? (range as IdRange).to : (range?.from ?? Number.POSITIVE_INFINITY)
    return inside
  }
}
