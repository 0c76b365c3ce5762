import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { ISql } from '../../store/driver/db.js'
import { messageIds } from '../../store/pages/message-pages.js'
import type { Stretch } from '../../store/pages/stretches.js'
import { newestAnchor } from './anchor.js'

interface PageRequest {
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
  return pageOf(request, await messageIds(sql, narrow, stretches(request)))
}

/** The page of a request whose stretches contain these messages. */
export function pageOf(request: PageRequest, ids: readonly number[]): Page {
  const { anchor } = request
  const below = ids.filter(id => id < anchor)
  const above = ids.filter(id => id > anchor)
  return {
    ids,
    found_anchor: !isNewest(request) && ids.includes(anchor),
    found_oldest: anchor === 0 || below.length < request.before,
    found_newest: isNewest(request) || above.length < request.after,
  }
}

const isNewest = ({ anchor }: PageRequest): boolean => anchor >= newestAnchor

/** The ranges of ids in which the messages of a page are. */
export function stretches(request: PageRequest): Stretch[] {
  const { anchor, includeAnchor, before, after } = request
  const isOldest = anchor === 0
  const isAtEnd = isNewest(request)
  const down: Stretch = { to: isAtEnd ? undefined : anchor - 1, limit: isOldest ? 0 : before, newestFirst: true }
  const up: Stretch = { from: anchor + 1, limit: isAtEnd ? 0 : after, newestFirst: false }
  const itself: Stretch = { from: anchor, to: anchor, limit: includeAnchor && !isAtEnd ? 1 : 0, newestFirst: false }
  return [down, itself, up]
}
