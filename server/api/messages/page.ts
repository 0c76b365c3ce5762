import type { ISql } from '../../store/db.js'
import { messageIds, type Stretch } from '../../store/message-pages.js'
import type { Narrow } from '../../store/narrow-sql.js'
import { newestAnchor } from './anchor.js'

export interface PageRequest {
  readonly anchor: number
  readonly includeAnchor: boolean
  readonly before: number
  readonly after: number
}

export interface Page {
  /** Ascending. */
  readonly ids: readonly number[]
  readonly found_anchor: boolean
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

/** The narrow's messages around an anchor: at most `before` below it, `after` above it, and the anchor itself if it matches. */
export async function fetchPage(sql: ISql, narrow: Narrow, request: PageRequest): Promise<Page> {
  const { anchor } = request
  const isOldest = anchor === 0
  const isNewest = anchor >= newestAnchor
  const ids = await messageIds(sql, narrow, stretches(request, isOldest, isNewest))
  const below = ids.filter(id => id < anchor)
  const above = ids.filter(id => id > anchor)
  return {
    ids,
    found_anchor: !isNewest && ids.includes(anchor),
    found_oldest: isOldest || below.length < request.before,
    found_newest: isNewest || above.length < request.after,
  }
}

function stretches(
  { anchor, includeAnchor, before, after }: PageRequest,
  isOldest: boolean,
  isNewest: boolean,
): Stretch[] {
  const down: Stretch = { to: isNewest ? undefined : anchor - 1, limit: isOldest ? 0 : before, newestFirst: true }
  const up: Stretch = { from: anchor + 1, limit: isNewest ? 0 : after, newestFirst: false }
  const itself: Stretch = { from: anchor, to: anchor, limit: includeAnchor && !isNewest ? 1 : 0, newestFirst: false }
  return [down, itself, up]
}
