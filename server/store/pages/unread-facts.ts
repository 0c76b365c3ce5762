import { limits } from '../../../shared/limits.js'
import type { ISql, Query } from '../driver/db.js'
import { type IdRange, rangesOf } from '../driver/id-ranges.js'
import type { UserId } from '../driver/read-together.js'
import { flagBit } from '../messages/message-flags.js'
import { idsInUse } from '../messages/message-ids.js'

/** A channel to which a user is subscribed. */
export interface SubscribedSpans {
  readonly id: number
  readonly isMuted: boolean
  /** The ids that the user receives; ascending, without overlaps. */
  readonly spans: readonly IdRange[]
  /** channel_changes.version. */
  readonly version: number
}

/** The user's subscriptions with the versions of the channels, for `subscribedChannels`. */
export function subscribedSpans(sql: ISql, userId: UserId): Query<{ channels: string | null }> {
  // One text, because a user can have a thousand: as objects they take 1.6 × the CPU of PostgreSQL.
  return sql<{ channels: string | null }[]>`
    select string_agg(s.channel_id || case when s.is_muted then 'm' else 'u' end || s.spans || coalesce(c.version, 0), ';') as channels
    from subscriptions s left join channel_changes c using (channel_id)
    where s.user_id = ${userId} and s.is_active`
}

/** The subscriptions in the row of `subscribedSpans`, in any order. */
export const subscribedChannels = ([row]: readonly { readonly channels: string | null }[]): SubscribedSpans[] =>
  Array.from((row?.channels ?? '').matchAll(/(\d+)([mu])(\{[^}]*\})(\d+)/g), ([, id, mark, spans = '', version]) => ({
    id: Number(id),
    isMuted: mark === 'm',
    spans: rangesOf(spans),
    version: Number(version),
  }))

const unreadBits = flagBit.mentioned | flagBit.topic_wildcard_mentioned | flagBit.ownUnread

/** The flags of messages that mention the user, or that the user has marked as unread, from the first unread message on. */
export function unreadFlags(sql: ISql, userId: UserId): Query<{ message_id: number; flags: number }> {
  return sql<{ message_id: number; flags: number }[]>`
    select message_id, flags from message_flags
    where user_id = ${userId} and flags & ${unreadBits}::int <> 0 and message_id >= coalesce((
      select lower(${idsInUse(sql)} - range_agg(ranges)) from read_state where user_id = ${userId}
    ), 0)`
}

/** The ids that the user has read, and those of the blocks below the oldest message, for `readRanges`. */
export function readBlocks(sql: ISql, userId: UserId): Query<{ ranges: string }> {
  return sql<{ ranges: string }[]>`
    with oldest as materialized (select coalesce(min(id), 0) >> 16 as block from messages)
    select ranges::text from (
      select -1 as block, int8multirange(int8range(0, block << 16)) as ranges from oldest
      union all
      select block, ranges from read_state where user_id = ${userId} and block >= (select block from oldest)
    ) blocks order by block`
}

/** The ids in these blocks; ascending, without overlaps. */
export const readRanges = (blocks: readonly { readonly ranges: string }[]): IdRange[] =>
  blocks.flatMap(row => rangesOf(row.ranges))

/** Unread direct messages of one conversation. */
interface UnreadConversation {
  /** All participants, ascending. */
  readonly user_ids: number[]
  /** Ascending. */
  readonly ids: number[]
}

/** The user's unread direct messages, of each conversation at most as many as a register answer contains. */
export function unreadConversations(sql: ISql, userId: UserId): Query<UnreadConversation> {
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
        order by m.id desc limit ${limits.unread_messages_in_register}
      ) newest
    ) unread
    where c.user_ids @> array[${userId}::int] and unread.ids is not null`
}
