import type { ISql } from './db.js'

/** What is true of a channel beside its row: changes with every message and subscription. */
export interface ChannelFacts {
  first_message_id: number | null
  subscriber_count: number
  is_recently_active: boolean
  stream_weekly_traffic: number | null
}

/** A channel without messages, a moment old. */
export const newChannelFacts: ChannelFacts = {
  first_message_id: null,
  subscriber_count: 0,
  is_recently_active: true,
  stream_weekly_traffic: null,
}

export type UncountedFacts = Omit<ChannelFacts, 'subscriber_count'> & {
  id: number
  /** Of its list of subscribers. */
  subscribers_version: number
}

/**
 * All but how many subscribers there are. Recently active: a message within 180 days, or made then. Traffic: a week's
 * average over the last four weeks. A first message that is not noted yet (noteFirstMessages) is looked up.
 */
export async function uncountedFacts(sql: ISql, channelIds: readonly number[]): Promise<UncountedFacts[]> {
  return sql<UncountedFacts[]>`
    select id, subscribers_version,
      coalesce(first_message_id, (select min(id) from messages where channel_id = channels.id)) as first_message_id,
      date_created > now() - interval '180 days' or coalesce((
        select date_sent > now() - interval '180 days' from messages
        where messages.channel_id = channels.id order by messages.id desc limit 1
      ), false) as is_recently_active,
      case when date_created <= now() - interval '7 days' then
        ceil(channel_traffic.messages * 7.0 / least(28, extract(day from now() - date_created)))::int
      end as stream_weekly_traffic
    from channels left join channel_traffic on channel_traffic.channel_id = channels.id
    where id = any(${[...channelIds]})`
}

/** Everything, counted on the spot: for a few channels, and in transactions that change subscriptions. */
export async function factsOfChannels(sql: ISql, channelIds: readonly number[]): Promise<Map<number, ChannelFacts>> {
  const [rows, counts] = await Promise.all([
    uncountedFacts(sql, channelIds),
    sql<{ channel_id: number; subscribers: number }[]>`
      select channel_id, count(*)::int as subscribers from subscriptions join users on users.id = user_id
      where channel_id = any(${[...channelIds]}) and subscriptions.is_active and users.is_active
      group by channel_id`,
  ])
  const subscribers = new Map(counts.map(row => [row.channel_id, row.subscribers]))
  return new Map(
    rows.map(({ id, subscribers_version: _, ...facts }) => [
      id,
      { ...facts, subscriber_count: subscribers.get(id) ?? 0 },
    ]),
  )
}

/** Whether it is time to count the channels' messages again. */
export async function isTrafficDue(sql: ISql, now: Date): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select at < ${now}::timestamptz - interval '1 hour' as due from channel_traffic_counted`
  return row?.due ?? false
}
