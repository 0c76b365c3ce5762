import type { ISql } from './db.js'
import { type Fragment, q, run } from './fragment.js'
import { firstMessageIdSince } from './message-ids.js'
import { type Narrow, narrowSql, unreadSql } from './narrow-sql.js'

/** A stretch of ids to look in, inclusive, and how many of its messages. */
export interface Stretch {
  readonly from?: number
  readonly to?: number
  readonly limit: number
  readonly newestFirst: boolean
}

/** Ids of the narrow's messages in each of the stretches, ascending, in one query. */
export async function messageIds(sql: ISql, narrow: Narrow, stretches: readonly Stretch[]): Promise<number[]> {
  const wanted = stretches.filter(stretch => stretch.limit > 0)
  if (wanted.length === 0) return []
  const { head, body } = narrowSql(narrow)
  const selects = wanted.map(stretch => q`(select m.id ${body} ${bounds(stretch)})`)
  const rows = await run<{ id: number }>(sql, q`${head} ${selects.reduce((all, one) => q`${all} union all ${one}`)}`)
  return [...new Set(rows.map(row => row.id))].sort((a, b) => a - b)
}

function bounds({ from, to, limit, newestFirst }: Stretch): Fragment {
  const above = from === undefined ? q`` : q`and m.id >= ${from}::bigint`
  const below = to === undefined ? q`` : q`and m.id <= ${to}::bigint`
  return newestFirst
    ? q`${above} ${below} order by m.id desc limit ${limit}::bigint`
    : q`${above} ${below} order by m.id limit ${limit}::bigint`
}

/** The oldest unread message of the narrow that is in no muted channel. */
export async function firstUnread(sql: ISql, narrow: Narrow): Promise<number | undefined> {
  const { head, body } = narrowSql(narrow)
  const rows = await run<{ id: number }>(
    sql,
    q`${head} select m.id ${body} and ${unreadSql(narrow.userId)} and not coalesce(s.is_muted, false)
      order by m.id limit 1`,
  )
  return rows[0]?.id
}

/** The narrow's first message at or after a time. */
export async function firstSince(sql: ISql, narrow: Narrow, time: Date): Promise<number | undefined> {
  const from = await firstMessageIdSince(sql, time)
  const [id] = await messageIds(sql, narrow, [{ from, limit: 1, newestFirst: false }])
  return id
}
