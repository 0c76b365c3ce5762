import { z } from 'zod'
import { isoTime, parseIsoTime } from '../../../shared/dates.js'
import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Narrow } from '../../narrow/sql/narrow-sql.js'
import { type Condition, required } from '../../params/conditions.js'
import { text } from '../../params/schemas.js'
import type { ISql } from '../../store/driver/db.js'
import { firstSince, firstUnread } from '../../store/pages/message-pages.js'

export const newestAnchor = limits.anchor_newest_value

interface AnchorParams {
  readonly anchor?: string
  readonly anchor_date?: string
  readonly use_first_unread_anchor?: boolean
}

const anchorWords = ['newest', 'oldest', 'first_unread', 'date'] as const
const anchorId = /^-?\d{1,30}$/

/** Checked when it is used. */
export const anchorParam = () =>
  text()
    .meta({
      anyOf: [
        { type: 'string', enum: anchorWords },
        { type: 'string', pattern: anchorId.source, maxLength: 31 },
      ],
    })
    .describe('The id of a message, or a word for one: `date` is the first message since `anchor_date`.')

/** The anchor `date` needs one. */
export const dateOfAnchor: readonly Condition<'anchor' | 'anchor_date'>[] = [
  { when: { anchor: ['date'] }, anyOf: ['anchor_date'], refusal: "Missing 'anchor_date' argument." },
  {
    when: { anchor: ['date'] },
    holds: { anchor_date: z.string().regex(isoTime).describe('a date, or a date and time, in ISO 8601') },
    refusal: 'Invalid anchor_date',
  },
]

/** A range without its anchor is on one side of it. */
export const excludedAnchor: Condition<'include_anchor' | 'num_before' | 'num_after'> = {
  when: { include_anchor: [false] },
  unless: { num_before: [0] },
  holds: { num_after: z.literal(0).describe('0') },
  refusal: 'The anchor can only be excluded at an end of the range',
}

/** The message id that an anchor means; an id above all others for the newest, and if no message matches. @throws {ApiError} */
export async function findAnchor(sql: ISql, narrow: Narrow, params: AnchorParams): Promise<number> {
  const anchor = params.use_first_unread_anchor ? 'first_unread' : required(params.anchor)
  if (anchor === 'first_unread') {
    return (await firstUnread(sql, narrow)) ?? newestAnchor
  }
  if (anchor === 'newest') return newestAnchor
  if (anchor === 'oldest') return 0
  if (anchor === 'date') return (await firstSince(sql, narrow, dateOf(required(params.anchor_date)))) ?? newestAnchor
  if (!anchorId.test(anchor)) throw badRequest('Invalid anchor')
  return Math.min(Math.max(Number(anchor), 0), newestAnchor)
}

function dateOf(text: string): Date {
  const date = parseIsoTime(text)
  // PostgreSQL has no year 0.
  if (!date || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) throw badRequest('Invalid anchor_date')
  return date
}
