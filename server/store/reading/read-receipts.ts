import type { ISql } from '../driver/db.js'
import type { SeenMessage } from '../messages/message-rows.js'

/**
 * Ids of the users who have read a message that they received, or whose flags it has since they looked at it. One statement; it reads at
 * most one row of the read state for each receiver (I3), all of them in one scan of the index: the receivers are an array, so this does
 * not depend on the statistics of the tables.
 */
export async function readersOf(
  sql: ISql,
  { id, channel_id, user_ids, read_by_all }: Pick<SeenMessage, 'id' | 'channel_id' | 'user_ids' | 'read_by_all'>,
): Promise<number[]> {
  const receivers = channel_id === null ? sql`${user_ids ?? []}::int[]` : receiversIn(sql, channel_id, id)
  const isRead = sql`r.block = (${id}::bigint >> 16)::int and r.ranges @> ${id}::bigint`
  const readers = read_by_all
    ? sql`
        select unnest(${receivers})
        except
        select user_id from message_flags f where message_id = ${id} and flags & 64 <> 0
          and not exists (select from read_state r where r.user_id = f.user_id and ${isRead})`
    : sql`select user_id from read_state r where user_id = any(${receivers}) and ${isRead}`
  const [row] = await sql<{ user_ids: number[] }[]>`select array(${readers}) as user_ids`
  return row?.user_ids ?? []
}

/** Present and former subscribers who received the message, and users who have flags on it without having received it. */
const receiversIn = (sql: ISql, channelId: number, messageId: number) => sql`(
  array(select user_id from subscriptions where channel_id = ${channelId} and is_active and spans @> ${messageId}::bigint)
  || array(select user_id from subscriptions where channel_id = ${channelId} and not is_active and spans @> ${messageId}::bigint)
  || array(select user_id from message_flags where message_id = ${messageId} and flags & 32 <> 0))`
