import type { ISql } from '../driver/db.js'

/** The ids from that of the oldest message on, as an int8multirange; without messages all ids. No message has a lower one. */
export const idsInUse = (sql: ISql) => sql`int8multirange(int8range((select min(id) from messages), null))`

/**
 * The lowest id from which on messages are not older than `since`. Found by binary search, because ids ascend with time and dates
 * have no index; about 30 steps for 10^9 messages.
 */
export async function firstMessageIdSince(sql: ISql, since: Date): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    with recursive search (older, newer) as (
      select coalesce(min(id), 1) - 1, coalesce(max(id), 0) + 1 from messages
      union all
      select case when is_older then middle else older end, case when is_older then newer else middle end
      from (
        select older, newer, (older + newer) / 2 as middle,
          coalesce((select date_sent < ${since} from messages where id >= (older + newer) / 2 order by id limit 1), false)
            as is_older
        from search where newer - older > 1
      ) halved
    )
    select min(newer) as id from search`
  return row?.id ?? 0
}

/** Whether the organization has any message. */
export async function hasMessages(sql: ISql): Promise<boolean> {
  const rows = await sql`select 1 from messages limit 1`
  return rows.length > 0
}
