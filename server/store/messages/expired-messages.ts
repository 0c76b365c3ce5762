import type { ISql } from '../driver/db.js'

/** A place whose messages are kept for some time; channel 0: direct messages. */
export interface RetentionLimit {
  readonly channelId: number
  /** Messages that were sent earlier are expired. */
  readonly before: Date
}

/** The expired messages of a place. */
export interface ExpiredFigures {
  readonly channel_id: number
  readonly messages: number
  readonly oldest: Date
  readonly newest: Date
  /** That only expired messages use; a file of several places counts in one of them. */
  readonly files: number
  readonly bytes: number
}

/** The channels with an expired message among their first ones, of which it reads at most `most` each. */
export async function channelsWithExpired(
  sql: ISql,
  limits: readonly RetentionLimit[],
  most: number,
): Promise<number[]> {
  const rows = await sql<{ channel_id: number }[]>`
    select channel_id from ${given(sql, limits)}
    where exists (
      select from (select date_sent from messages m where m.channel_id = given.channel_id order by id limit ${most}) first
      where date_sent < before)
    order by channel_id`
  return rows.map(row => row.channel_id)
}

const given = (sql: ISql, limits: readonly RetentionLimit[]) => sql`
  unnest(${limits.map(one => one.channelId)}::int[], ${limits.map(one => one.before.toISOString())}::text[]::timestamptz[])
    as given (channel_id, before)`

/** What is expired, for each place that has expired messages. Reads all of them. */
export function expiredFigures(sql: ISql, limits: readonly RetentionLimit[]): Promise<ExpiredFigures[]> {
  return sql<ExpiredFigures[]>`
    with given as (select * from ${given(sql, limits)}), expired as materialized (
      select m.id, m.channel_id, m.date_sent from given join messages m on m.channel_id = given.channel_id and m.date_sent < given.before
      union all
      select m.id, 0, m.date_sent from given join messages m on m.conversation_id is not null and m.date_sent < given.before
      where given.channel_id = 0
    ), files as (
      select min(expired.channel_id) as channel_id, a.size
      from expired join attachment_uses u on u.message_id = expired.id join attachments a on a.id = u.attachment_id
      group by a.id having count(*) = (select count(*) from attachment_uses every_use where every_use.attachment_id = a.id)
    ), sizes as (
      select channel_id, count(*)::int as files, sum(size)::float8 as bytes from files group by channel_id
    )
    select channel_id, count(*)::int as messages, min(date_sent) as oldest, max(date_sent) as newest,
      coalesce(min(files), 0) as files, coalesce(min(bytes), 0) as bytes
    from expired left join sizes using (channel_id) group by channel_id order by channel_id`
}
