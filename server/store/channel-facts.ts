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

/** Recently active: a message within 180 days, or made then. Traffic: a week's average over the last four weeks. */
export async function factsOfChannels(sql: ISql, channelIds: readonly number[]): Promise<Map<number, ChannelFacts>> {
  const rows = await sql<({ id: number } & ChannelFacts)[]>`
    select channels.id, channels.first_message_id, coalesce(subscribers.count, 0)::int as subscriber_count,
      coalesce(newest.date_sent, channels.date_created) > now() - interval '180 days' as is_recently_active,
      case when channels.date_created <= now() - interval '7 days' then
        ceil(channel_traffic.messages * 7.0 / least(28, extract(day from now() - channels.date_created)))::int
      end as stream_weekly_traffic
    from channels
    left join channel_traffic on channel_traffic.channel_id = channels.id
    left join (
      select channel_id, count(*) from subscriptions join users on users.id = user_id
      where channel_id = any(${[...channelIds]}) and subscriptions.is_active and users.is_active
      group by channel_id
    ) subscribers on subscribers.channel_id = channels.id
    left join lateral (
      select date_sent from messages where messages.channel_id = channels.id order by id desc limit 1
    ) newest on true
    where channels.id = any(${[...channelIds]})`
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** Whether it is time to count the channels' messages again. */
export async function isTrafficDue(sql: ISql, now: Date): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select at < ${now}::timestamptz - interval '1 hour' as due from channel_traffic_counted`
  return row?.due ?? false
}
