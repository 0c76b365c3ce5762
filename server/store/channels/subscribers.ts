import type { ISql } from '../driver/db.js'

/** Users with an active subscription to a channel, deactivated users too. */
export interface SubscribersRow {
  readonly id: number
  /** channels.subscribers_version: each change of an active subscription, and of whether it is muted, makes a new one. */
  readonly version: number
  /** Ascending. */
  readonly user_ids: number[]
}

/** The subscribers of these channels, each with its version in one snapshot. */
export async function readSubscribers(sql: ISql, channelIds: readonly number[]): Promise<SubscribersRow[]> {
  return sql<SubscribersRow[]>`
    select id, subscribers_version as version, array(
      select user_id from subscriptions where channel_id = channels.id and is_active order by user_id
    ) as user_ids
    from channels where id = any(${[...channelIds]})`
}

/** As `readSubscribers`, with those who have muted the channel, which are not in the index; undefined: there is no such channel. */
export async function readAudience(
  sql: ISql,
  channelId: number,
): Promise<(SubscribersRow & { readonly muter_ids: number[] }) | undefined> {
  const [row] = await sql<(SubscribersRow & { muter_ids: number[] })[]>`
    select id, subscribers_version as version, array(
      select user_id from subscriptions where channel_id = channels.id and is_active order by user_id
    ) as user_ids, array(
      select user_id from subscriptions where channel_id = channels.id and is_active and is_muted order by user_id
    ) as muter_ids
    from channels where id = ${channelId}`
  return row
}
