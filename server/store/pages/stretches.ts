import type { ISql } from '../driver/db.js'
import { gapsBetween, type IdRange } from '../driver/id-ranges.js'
import { readBlocks, readRanges } from './unread-facts.js'

/** In how many ranges of ids messages are looked up separately: PostgreSQL plans each of them. */
export const mostParts = 3

/** A range of ids to search, both ends inclusive, and how many of its messages to return. */
export interface Stretch {
  readonly from?: number
  readonly to?: number
  readonly limit: number
  readonly newestFirst: boolean
}

/** The ranges of ids that the user has not read, or that do not exist. */
export const unreadGaps = async (sql: ISql, userId: number): Promise<readonly IdRange[]> =>
  gapsBetween(readRanges(await readBlocks(sql, userId)))

/** The parts of a stretch in these ranges, in its order: at most `mostParts`, of which the last then contains all further ones. */
export function within(stretch: Stretch, ranges: readonly IdRange[]): Stretch[] {
  const { from = 0, to = Number.POSITIVE_INFINITY, newestFirst } = stretch
  const parts = ranges
    .map(range => ({ from: Math.max(from, range.from), to: Math.min(to, range.to - 1) }))
    .filter(part => part.from <= part.to)
  if (newestFirst) parts.reverse()
  const [next] = parts.slice(mostParts - 1)
  const last = parts.at(-1)
  const all =
    next && last
      ? [...parts.slice(0, mostParts - 1), { from: Math.min(next.from, last.from), to: Math.max(next.to, last.to) }]
      : parts
  return all.map(part => ({ ...stretch, from: part.from, to: Number.isFinite(part.to) ? part.to : undefined }))
}

/** Those of ascending ids that a stretch returns. */
export function firstOf(
  { from = 0, to = Number.POSITIVE_INFINITY, limit, newestFirst }: Stretch,
  ids: readonly number[],
): number[] {
  const own = ids.filter(id => id >= from && id <= to)
  return newestFirst ? own.slice(-limit) : own.slice(0, limit)
}

/** Ids of the oldest and the newest message of the organization. */
export interface Extent {
  readonly oldest: number
  readonly newest: number
}

/**
 * Whether the narrow may have further messages: a scan of `near` ids of the stretch, of those in the extent, found too few and did not reach
 * the end. Undefined: of a scan that found none.
 */
export function isShort(
  { from = 0, to = Number.POSITIVE_INFINITY, limit, newestFirst }: Stretch,
  near: number,
  extent: Extent | undefined,
  count: number,
): boolean {
  if (count >= limit) return false
  if (extent === undefined) return true
  const first = Math.max(from, extent.oldest)
  const last = Math.min(to, extent.newest)
  return newestFirst ? last - near >= first : first + near <= last
}
