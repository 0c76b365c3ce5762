import type { ISql } from '../driver/db.js'

/** Messages of one topic of a channel in one spelling. */
export interface TopicRow {
  readonly channel_id: number
  readonly topic: string
  /** Ascending. */
  readonly ids: number[]
  /** For each message whose read flag is set from the start: 0 for no user, the id of its sender, or -1 for all users. */
  readonly readFrom: number[]
  /** The messages that mention the whole channel. */
  readonly wildcards: number[]
}

/** The messages of each channel (an id of a channel and the first id of a message) below `to`; null: up to the newest. */
export async function messagesFrom(
  sql: ISql,
  channels: readonly (readonly [number, number])[],
  to: number | null,
): Promise<TopicRow[]> {
  // The order inside makes PostgreSQL look up each channel in the index, also where it expects many messages and would scan the table.
  // The arrays are in selects of their own, because PostgreSQL would otherwise plan the statement again for each length.
  return sql<TopicRow[]>`
    select m.channel_id, m.topic, array_agg(m.id order by m.id) as ids,
      array_agg(case when m.read_by_all then -1 when m.read_by_sender then m.sender_id else 0 end order by m.id) as "readFrom",
      coalesce(array_agg(m.id order by m.id) filter (where m.wildcard_mentions & 1 <> 0), '{}') as wildcards
    from unnest(
        (select ${channels.map(([id]) => id)}::int[]), (select ${channels.map(([, first]) => first)}::bigint[])
      ) as wanted (channel_id, first)
      cross join lateral (
        select channel_id, id, topic, sender_id, read_by_all, read_by_sender, wildcard_mentions from messages
        where channel_id = wanted.channel_id and id >= wanted.first and id < ${to ?? 2 ** 53}::bigint order by id
      ) m
    group by m.channel_id, m.topic`
}
