import type { ISql } from '../driver/db.js'
import { idsInUse } from '../messages/message-ids.js'

/**
 * Messages that the user received and has not read in channels to which the user is no longer subscribed: they would be unread
 * again after a new subscription.
 */
export async function leftUnread(sql: ISql, userId: number, channelIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with reads as materialized (
      select coalesce(range_agg(r), '{}'::int8multirange) as ranges
      from read_state, unnest(ranges) as r where user_id = ${userId}
    )
    select messages.id
    from subscriptions join messages on messages.channel_id = subscriptions.channel_id and messages.id <@ spans
      cross join reads
    where subscriptions.user_id = ${userId} and subscriptions.channel_id = any(${[...channelIds]}) and not is_active
      and messages.id >= coalesce(lower(${idsInUse(sql)} - ranges), 0) and not messages.id <@ ranges
      and not (read_by_all or sender_id = ${userId} and read_by_sender)
    order by messages.id`
  return rows.map(row => row.id)
}
