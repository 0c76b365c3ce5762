import type { ISql } from '../driver/db.js'

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

/** The channels of a user's subscriptions. */
export interface OwnSubscriptions {
  readonly active: readonly number[]
  /** The active ones that are muted. */
  readonly muted: readonly number[]
  readonly former: readonly number[]
  /** The version of lists of channels (channel-lists.ts) that has them. */
  readonly lists_version: number
}

/**
 * The subscriptions of users; users without any are left out. One row for each user, because a row of each subscription costs the worker
 * and PostgreSQL twice as much for a member of a hundred channels.
 */
export async function ownSubscriptions(sql: ISql, userIds: readonly number[]): Promise<Map<number, OwnSubscriptions>> {
  const rows = await sql<(OwnSubscriptions & { user_id: number })[]>`
    select user_id, coalesce(array_agg(channel_id) filter (where is_active), '{}') as active,
      coalesce(array_agg(channel_id) filter (where is_active and is_muted), '{}') as muted,
      coalesce(array_agg(channel_id) filter (where not is_active), '{}') as former,
      (select version from lists_version) as lists_version
    from subscriptions where user_id = any(${userIds as number[]}::int[]) group by user_id`
  return new Map(rows.map(row => [row.user_id, row]))
}
