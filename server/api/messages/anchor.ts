import { parseIsoTime } from '../../../shared/dates.js'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import type { ISql } from '../../store/driver/db.js'
import { firstSince, firstUnread } from '../../store/pages/message-pages.js'

export const newestAnchor = limits.anchor_newest_value

interface AnchorParams {
  readonly anchor?: string
  readonly anchor_date?: string
  readonly use_first_unread_anchor?: boolean
}

/** The message id that an anchor means; an id above all others for the newest, and if no message matches. @throws {ApiError} */
export async function findAnchor(sql: ISql, narrow: Narrow, params: AnchorParams): Promise<number> {
  const { anchor } = params
  if (params.use_first_unread_anchor || anchor === 'first_unread') {
    return (await firstUnread(sql, narrow)) ?? newestAnchor
  }
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.")
  if (anchor === 'newest') return newestAnchor
  if (anchor === 'oldest') return 0
  if (anchor === 'date') return (await firstSince(sql, narrow, dateOf(params.anchor_date))) ?? newestAnchor
  if (!/^-?\d{1,30}$/.test(anchor)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(Number(anchor), 0), newestAnchor)
}

function dateOf(text: string | undefined): Date {
  if (text === undefined) throw badRequest("Missing 'anchor_date' argument.")
  const date = parseIsoTime(text)
  // PostgreSQL has no year 0.
  if (!date || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) throw badRequest('Invalid anchor_date')
  return date
}
