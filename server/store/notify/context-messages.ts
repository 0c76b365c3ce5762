import type { ISql } from '../driver/db.js'

// What a reader sees before a message that mentions the reader.
const mostMessages = 10
const mostAge = '15 minutes'

/** Ids of the messages that came before each of these in its topic, up to 10 of 15 minutes; ascending. */
export async function messagesBefore(sql: ISql, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await sql<{ id: number }[]>`
    select distinct before.id from messages m cross join lateral (
      select id from messages earlier
      where earlier.channel_id = m.channel_id and lower(earlier.topic) = lower(m.topic) and earlier.id < m.id
        and earlier.date_sent > m.date_sent - ${mostAge}::interval
      order by earlier.id desc limit ${mostMessages}
    ) before
    where m.id = any(${ids as number[]}::bigint[]) order by before.id`
  return rows.map(row => row.id)
}
