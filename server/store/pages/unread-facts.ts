import type { ISql } from '../driver/db.js'
import { type IdRange, rangesOf } from '../driver/id-ranges.js'
import { flagBit } from '../messages/message-flags.js'
import { idsInUse } from '../messages/message-ids.js'

/** What decides which messages of channels a user has not read, and where. */
export interface UnreadFacts {
  /** Of `readRanges`. */
  readonly read: readonly IdRange[]
  /** The channels to which the user is subscribed. */
  readonly channels: readonly {
    readonly id: number
    readonly isMuted: boolean
    /** The ids that the user receives; ascending, without overlaps. */
    readonly spans: readonly IdRange[]
    /** channel_changes.version. */
    readonly version: number
  }[]
  /** Flags of messages that mention the user or that the user has marked as unread. */
  readonly flags: ReadonlyMap<number, number>
  readonly policies: readonly { channel_id: number; topic: string; visibility_policy: number }[]
}

/** Reads the facts; `channelIds`: the channels in which the user may read. */
export async function unreadFacts(sql: ISql, userId: number, channelIds: readonly number[]): Promise<UnreadFacts> {
  const bits = flagBit.mentioned | flagBit.topic_wildcard_mentioned | flagBit.ownUnread
  const [read, subscriptions, flags, policies] = await Promise.all([
    readRanges(sql, userId),
    sql<{ channel_id: number; is_muted: boolean; spans: string; version: number }[]>`
      select s.channel_id, s.is_muted, s.spans::text, coalesce(c.version, 0) as version
      from subscriptions s left join channel_changes c using (channel_id)
      where s.user_id = ${userId} and s.is_active and s.channel_id = any(${channelIds as number[]}::int[])`,
    sql<{ message_id: number; flags: number }[]>`
      select message_id, flags from message_flags
      where user_id = ${userId} and flags & ${bits}::int <> 0 and message_id >= coalesce((
        select lower(${idsInUse(sql)} - range_agg(ranges)) from read_state where user_id = ${userId}
      ), 0)`,
    sql<{ channel_id: number; topic: string; visibility_policy: number }[]>`
      select channel_id, topic, visibility_policy from user_topics where user_id = ${userId}`,
  ])
  return {
    read,
    channels: subscriptions.map(row => ({
      id: row.channel_id,
      isMuted: row.is_muted,
      spans: rangesOf(row.spans),
      version: row.version,
    })),
    flags: new Map(flags.map(row => [row.message_id, row.flags])),
    policies,
  }
}

/** The ids that the user has read, and those of the blocks below the oldest message; ascending, without overlaps. */
export async function readRanges(sql: ISql, userId: number): Promise<IdRange[]> {
  const blocks = await sql<{ ranges: string }[]>`
    with oldest as materialized (select coalesce(min(id), 0) >> 16 as block from messages)
    select ranges::text from (
      select -1 as block, int8multirange(int8range(0, block << 16)) as ranges from oldest
      union all
      select block, ranges from read_state where user_id = ${userId} and block >= (select block from oldest)
    ) blocks order by block`
  return blocks.flatMap(row => rangesOf(row.ranges))
}

/** Unread direct messages of one conversation. */
interface UnreadConversation {
  /** All participants, ascending. */
  readonly user_ids: number[]
  /** Ascending. */
  readonly ids: number[]
}

/** The user's unread direct messages, of each conversation at most the newest `limit`. */
export async function unreadConversations(sql: ISql, userId: number, limit: number): Promise<UnreadConversation[]> {
  return sql<UnreadConversation[]>`
    with reads as materialized (
      select ranges, coalesce(lower(${idsInUse(sql)} - ranges), 0) as first_unread from (
        select coalesce(range_agg(r), '{}'::int8multirange) as ranges
        from read_state, unnest(ranges) as r where user_id = ${userId}
      ) own
    )
    select c.user_ids, unread.ids
    from conversations c cross join lateral (
      select array_agg(id order by id) as ids from (
        select m.id from messages m
        where m.conversation_id = c.id
          and m.id >= (select first_unread from reads)
          and not m.id <@ (select ranges from reads)
          and (not (m.read_by_all or m.sender_id = ${userId} and m.read_by_sender) or exists (
            select from message_flags f
            where f.user_id = ${userId} and f.message_id = m.id and f.flags & ${flagBit.ownUnread}::int <> 0
              and f.message_id >= (select first_unread from reads)
          ))
        order by m.id desc limit ${limit}
      ) newest
    ) unread
    where c.user_ids @> array[${userId}::int] and unread.ids is not null`
}
