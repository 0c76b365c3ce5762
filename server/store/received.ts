import type { ISql } from './db.js'

/** Those of the channels that the user is subscribed to. */
export async function activeSubscriptionsAmong(
  sql: ISql,
  userId: number,
  channelIds: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ channel_id: number }[]>`
    select channel_id from subscriptions
    where user_id = ${userId} and channel_id = any(${channelIds as number[]}::int[]) and is_active`
  return rows.map(row => row.channel_id)
}
