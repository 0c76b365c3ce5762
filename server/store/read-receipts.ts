import type { ISql } from './db.js'
import type { SeenMessage } from './message-rows.js'

/**
 * Ids of the users who have read a message that they received, or whose flags it has since they looked at it. One statement; it reads at
 * most one row of the read state for each receiver (I3).
 */
export async function readersOf(
  sql: ISql,
  { id, channel_id, user_ids, read_by_all }: Pick<SeenMessage, 'id' | 'channel_id' | 'user_ids' | 'read_by_all'>,
): Promise<number[]> {
  const receivers =
    channel_id === null ? sql`select unnest(${user_ids ?? []}::int[]) as user_id` : receiversIn(sql, channel_id, id)
  const isRead = sql`exists (
    select from read_state r where r.user_id = reader.user_id and r.block = (${id}::bigint >> 16)::int and r.ranges @> ${id}::bigint)`
  const isKept = sql`exists (
    select from message_flags f where f.message_id = ${id} and f.user_id = reader.user_id and f.flags & 64 <> 0)`
  const [row] = await sql<{ user_ids: number[] }[]>`
    select array(select user_id from (${receivers}) reader
      where ${read_by_all ? sql`${isRead} or not ${isKept}` : isRead}) as user_ids`
  return row?.user_ids ?? []
}

/** Present and former subscribers who received the message, and users who have flags on it without having received it. */
const receiversIn = (sql: ISql, channelId: number, messageId: number) => sql`
  select user_id from subscriptions where channel_id = ${channelId} and is_active and spans @> ${messageId}::bigint
  union all
  select user_id from subscriptions where channel_id = ${channelId} and not is_active and spans @> ${messageId}::bigint
  union all
  select user_id from message_flags where message_id = ${messageId} and flags & 32 <> 0`
