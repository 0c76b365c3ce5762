import type { Tx } from '../driver/db.js'
import { flagBit } from '../messages/message-flags.js'
import { idsInUse } from '../messages/message-ids.js'

interface UnreadOfUser {
  user_id: number
  /** Ascending. */
  ids: number[]
}

/**
 * The unread messages of these subscribers in a channel, at most `limit` per user, oldest first; without users who have none.
 */
export async function unreadOfSubscribers(
  tx: Tx,
  channelId: number,
  userIds: readonly number[],
  limit: number,
): Promise<UnreadOfUser[]> {
  const users = [...userIds].sort((a, b) => a - b)
  return tx<UnreadOfUser[]>`
    with reads as materialized (
      select user_id, range_agg(ranges) as ranges from read_state where user_id = any(${users}::int[]) group by user_id
    )
    select s.user_id, array_agg(unread.id order by unread.id) as ids
    from subscriptions s left join reads on reads.user_id = s.user_id
      cross join lateral (
        select m.id from messages m
        where m.channel_id = ${channelId} and m.id <@ s.spans
          and m.id >= coalesce(lower(${idsInUse(tx)} - reads.ranges), 0)
          and not m.id <@ coalesce(reads.ranges, '{}'::int8multirange)
          and (not (m.read_by_all or m.sender_id = s.user_id and m.read_by_sender) or exists (
            select from message_flags f
            where f.user_id = s.user_id and f.message_id = m.id and f.flags & ${flagBit.ownUnread}::int <> 0
          ))
        order by m.id limit ${limit}
      ) unread
    where s.channel_id = ${channelId} and s.user_id = any(${users}::int[]) and s.is_active
    group by s.user_id order by s.user_id`
}

/** Adds the messages to the read state of each user. */
export async function markReadOfMany(tx: Tx, unread: readonly UnreadOfUser[]): Promise<void> {
  if (unread.length === 0) return
  const users = unread.flatMap(({ user_id, ids }) => ids.map(() => user_id))
  const messages = unread.flatMap(({ ids }) => ids)
  await tx`
    insert into read_state (user_id, block, ranges)
    select user_id, (id >> 16)::int, range_agg(int8range(id, id + 1))
    from unnest(${users}::int[], ${messages}::bigint[]) as given (user_id, id)
    group by user_id, id >> 16 order by user_id, id >> 16
    on conflict (user_id, block) do update set ranges = read_state.ranges + excluded.ranges`
}
