import type { ISql } from './db.js'

/** The channels among `channelIds` to which the user is subscribed. */
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

export interface OwnSubscription {
  channel_id: number
  is_active: boolean
  is_muted: boolean
}

/** The user's active and former subscriptions. */
export async function ownSubscriptions(sql: ISql, userId: number): Promise<OwnSubscription[]> {
  return sql<OwnSubscription[]>`
    select channel_id, is_active, is_muted from subscriptions where user_id = ${userId}`
}

/** Active subscribers of a channel, ascending; undefined if there are more than `limit`. */
export async function subscribersUpTo(sql: ISql, channelId: number, limit: number): Promise<number[] | undefined> {
  const rows = await sql<{ id: number }[]>`
    select user_id as id from subscriptions join users on users.id = user_id and users.is_active
    where channel_id = ${channelId} and subscriptions.is_active limit ${limit + 1}`
  return rows.length > limit ? undefined : rows.map(row => row.id).sort((a, b) => a - b)
}
