import type { PersonalSettings } from '../../../shared/resources/subscription.js'
import type { ISql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'
import { selectFacts, type UncountedChannel } from './channel-facts.js'

export interface SubscriptionRow extends PersonalSettings {
  user_id: number
  channel_id: number
  /** False: a former subscription, kept for its settings and for the record of received messages. */
  is_active: boolean
  /** A former subscription whose user later could not see the channel: answers omit it until the user subscribes again. */
  is_forgotten: boolean
}

/** The user's personal settings of a subscription. */
export function personalSettings(row: SubscriptionRow): PersonalSettings {
  const { user_id: _, channel_id: __, is_active: ___, is_forgotten: ____, ...settings } = row
  return settings
}

export async function readSubscription(sql: ISql, userId: number, channelId: number): Promise<SubscriptionRow | null> {
  const [row] = await sql<SubscriptionRow[]>`
    select user_id, channel_id, is_active, is_forgotten, color, is_muted, pin_to_top, desktop_notifications,
      email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify
    from subscriptions where user_id = ${userId} and channel_id = ${channelId}`
  return row ?? null
}

/** All active and former subscriptions of the user, and the version of lists of channels (channel-lists.ts) that has them. */
export async function subscriptionsOfUser(
  sql: ISql,
  userId: number,
): Promise<{ rows: SubscriptionRow[]; listsVersion: number }> {
  const found = await sql<(SubscriptionRow & { lists_version: number })[]>`
    select user_id, channel_id, is_active, is_forgotten, color, is_muted, pin_to_top, desktop_notifications,
      email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify,
      (select version from lists_version) as lists_version
    from subscriptions where user_id = ${userId} order by channel_id`
  return {
    rows: found.map(({ lists_version: _, ...row }) => row),
    listsVersion: found[0]?.lists_version ?? 0,
  }
}

/** Active subscribers by channel id, user ids ascending; without channels that have none. */
export async function subscribersOfChannels(sql: ISql, channelIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await sql<{ channel_id: number; user_ids: number[] }[]>`
    select channel_id, array_agg(user_id order by user_id) as user_ids
    from subscriptions join users on users.id = user_id
    where channel_id = any(${[...channelIds]}) and subscriptions.is_active and users.is_active
    group by channel_id`
  return new Map(rows.map(row => [row.channel_id, row.user_ids]))
}

/** The pairs of these users and channels with an active subscription. */
export async function subscribedAmong(
  sql: ISql,
  userIds: readonly number[],
  channelIds: readonly number[],
): Promise<{ user_id: number; channel_id: number }[]> {
  return sql<{ user_id: number; channel_id: number }[]>`
    select user_id, channel_id from subscriptions
    where user_id = any(${[...userIds]}) and channel_id = any(${[...channelIds]}) and is_active`
}

/** The active subscriptions of these users. */
export async function activeSubscriptionsOf(
  sql: ISql,
  userIds: readonly number[],
): Promise<{ user_id: number; channel_id: number }[]> {
  return sql<{ user_id: number; channel_id: number }[]>`
    select user_id, channel_id from subscriptions where user_id = any(${[...userIds]}) and is_active
    order by user_id, channel_id`
}

/** New subscriptions, and the channels that have them: their facts, and the new versions of their subscribers. */
export interface NewSubscriptions {
  readonly rows: readonly SubscriptionRow[]
  readonly channels: readonly UncountedChannel[]
}

/**
 * Subscribes each of the users to each of the channels, from the next message on; returns only new subscriptions. The caller holds
 * the channels' rows, so no message can be inserted meanwhile. A renewed subscription keeps its former settings.
 */
export async function insertSubscriptions(
  tx: Tx,
  userIds: readonly number[],
  channels: readonly { id: number; color: string }[],
): Promise<NewSubscriptions> {
  const ids = channels.map(channel => channel.id)
  const colors = channels.map(channel => channel.color)
  const found = await tx<(SubscriptionRow & Omit<UncountedChannel, 'id'>)[]>`
    with added as (
      insert into subscriptions (user_id, channel_id, color, spans)
      select reader.id, channel.id, channel.color,
        int8multirange(int8range((select coalesce(max(id), 0) from messages) + 1, null))
      from unnest(${[...userIds]}::int[]) as reader (id)
        cross join unnest(${ids}::int[], ${colors}::text[]) as channel (id, color)
        join channels on channels.id = channel.id
      on conflict (user_id, channel_id) do update set is_active = true, is_forgotten = false,
        spans = subscriptions.spans + excluded.spans
      where not subscriptions.is_active
      returning user_id, channel_id, is_active, is_forgotten, color, is_muted, pin_to_top, desktop_notifications,
        email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify
    ), ${renewed(tx, 'added')}, facts as materialized (${selectFacts(tx, ids)})
    select added.*, facts.date_created, facts.first_message_id, facts.messages, facts.version, renewed.subscribers_version
    from added join renewed on renewed.id = channel_id join facts on facts.id = channel_id`
  if (found.length > 0) noteListChange(tx, new Set(found.map(row => row.user_id)))
  const byId = new Map<number, UncountedChannel>()
  const rows = found.map(({ date_created, first_message_id, messages, version, subscribers_version, ...row }) => {
    const id = row.channel_id
    byId.set(id, { id, date_created, first_message_id, messages, version, subscribers_version })
    return row
  })
  return { rows, channels: [...byId.values()] }
}

export interface EndedSubscription {
  readonly user_id: number
  readonly channel_id: number
  /** The new version of the channel's subscribers. */
  readonly subscribers_version: number
}

/**
 * Ends subscriptions after the newest message; returns the ended ones. The caller holds the channels' rows. `hidden`: pairs whose user can
 * no longer see the channel; no answer shows their former subscriptions.
 */
export async function endSubscriptions(
  tx: Tx,
  userIds: readonly number[],
  channelIds: readonly number[],
  hidden: readonly { readonly user_id: number; readonly channel_id: number }[],
): Promise<EndedSubscription[]> {
  const ended = await tx<EndedSubscription[]>`
    with ended as (
      update subscriptions
      set is_active = false, is_forgotten = (user_id, channel_id) in (
          select * from unnest(${hidden.map(pair => pair.user_id)}::int[], ${hidden.map(pair => pair.channel_id)}::int[])
        ),
        spans = spans * int8multirange(int8range(null, (select coalesce(max(id), 0) from messages) + 1))
      where user_id = any(${[...userIds]}) and channel_id = any(${[...channelIds]}) and is_active
      returning user_id, channel_id
    ), ${renewed(tx, 'ended')}
    select user_id, channel_id, subscribers_version from ended join renewed on id = channel_id`
  if (ended.length > 0) noteListChange(tx, new Set(ended.map(row => row.user_id)))
  return ended
}

/** A part of a statement: the channels of the subscriptions that another part has changed get a new version of their subscribers. */
const renewed = (tx: Tx, changed: 'added' | 'ended') => tx`
  renewed as (
    update channels set subscribers_version = subscribers_version + 1
    where id in (select channel_id from ${tx(changed)}) returning id, subscribers_version
  )`

/** The channel's active subscriptions of active users, sorted by user. */
export async function subscriptionsToChannel(sql: ISql, channelId: number): Promise<SubscriptionRow[]> {
  return sql<SubscriptionRow[]>`
    select user_id, channel_id, subscriptions.is_active, is_forgotten, color, is_muted, pin_to_top,
      desktop_notifications, email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify
    from subscriptions join users on users.id = user_id
    where channel_id = ${channelId} and subscriptions.is_active and users.is_active order by user_id`
}

/** Channels that the user is subscribed to; ids ascending. */
export async function subscribedChannels(sql: ISql, userId: number): Promise<number[]> {
  const rows = await sql<{ channel_id: number }[]>`
    select channel_id from subscriptions where user_id = ${userId} and is_active order by channel_id`
  return rows.map(row => row.channel_id)
}
