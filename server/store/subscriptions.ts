import type { ISql } from './db.js'

export interface SubscriptionRow {
  user_id: number
  channel_id: number
  /** False: a former subscription, kept for its settings and for what was received. */
  is_active: boolean
  color: string
  is_muted: boolean
  pin_to_top: boolean
  desktop_notifications: boolean | null
  email_notifications: boolean | null
  push_notifications: boolean | null
  audible_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
}

export async function readSubscription(sql: ISql, userId: number, channelId: number): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow[]>`
    select user_id, channel_id, is_active, color, is_muted, pin_to_top, desktop_notifications, email_notifications,
      push_notifications, audible_notifications, wildcard_mentions_notify
    from subscriptions where user_id = ${userId} and channel_id = ${channelId}`
  return row ?? null
}

/** Every subscription that the user has or had. */
export async function subscriptionsOfUser(sql: ISql, userId: number): Promise<SubscriptionRow[]> {
  return sql<SubscriptionRow[]>`
    select user_id, channel_id, is_active, color, is_muted, pin_to_top, desktop_notifications, email_notifications,
      push_notifications, audible_notifications, wildcard_mentions_notify
    from subscriptions where user_id = ${userId} order by channel_id`
}

/** Active users with an active subscription: channel id to user ids, ascending; without channels that have none. */
export async function subscribersOfChannels(sql: ISql, channelIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await sql<{ channel_id: number; user_ids: number[] }[]>`
    select channel_id, array_agg(user_id order by user_id) as user_ids
    from subscriptions join users on users.id = user_id
    where channel_id = any(${[...channelIds]}) and subscriptions.is_active and users.is_active
    group by channel_id`
  return new Map(rows.map(row => [row.channel_id, row.user_ids]))
}
