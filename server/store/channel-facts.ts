import { ActiveChannels } from './active-channels.js'
import type { ISql } from './db.js'

/** Properties of a channel that are not in its row, because they change with messages and subscriptions. */
export interface ChannelFacts {
  first_message_id: number | null
  subscriber_count: number
  is_recently_active: boolean
  stream_weekly_traffic: number | null
}

/** The facts of a new channel without messages. */
export const newChannelFacts: ChannelFacts = {
  first_message_id: null,
  subscriber_count: 0,
  is_recently_active: true,
  stream_weekly_traffic: null,
}

export type UncountedFacts = Omit<ChannelFacts, 'subscriber_count'> & {
  id: number
  /** Version of the list of subscribers. */
  subscribers_version: number
}

/**
 * All facts except the number of subscribers. Recently active: the channel got a message or was created within 180 days. Traffic:
 * messages per week, averaged over the last four weeks. A first message that is not stored yet (noteFirstMessages) is looked up, and
 * so is the newest one of a channel that `active` does not know.
 */
export async function uncountedFacts(
  sql: ISql,
  channelIds: readonly number[],
  active = new ActiveChannels(),
): Promise<UncountedFacts[]> {
  const now = new Date()
  const ids = [...channelIds]
  const rows = await sql<(UncountedFacts & { version: number; newest: Date | null })[]>`
    select id, subscribers_version,
      coalesce(first_message_id, (select min(id) from messages where channel_id = channels.id)) as first_message_id,
      is_new or is_known or coalesce(newest.date_sent > now() - interval '180 days', false) as is_recently_active,
      case when date_created <= now() - interval '7 days' then
        ceil(channel_traffic.messages * 7.0 / least(28, extract(day from now() - date_created)))::int
      end as stream_weekly_traffic,
      coalesce(channel_changes.version, 0) as version, newest.date_sent as newest
    from unnest(${ids}::int[], ${active.versions(ids, now)}::bigint[]) as wanted (channel_id, known_version)
      join channels on channels.id = wanted.channel_id
      left join channel_traffic on channel_traffic.channel_id = channels.id
      left join channel_changes on channel_changes.channel_id = channels.id
      cross join lateral (
        select date_created > now() - interval '180 days' as is_new,
          coalesce(known_version = coalesce(channel_changes.version, 0), false) as is_known
      ) without
      left join lateral (
        select date_sent from messages
        where messages.channel_id = channels.id and not is_new and not is_known order by messages.id desc limit 1
      ) newest on true`
  return rows.map(({ version, newest, ...facts }) => {
    if (newest && facts.is_recently_active) active.note(facts.id, version, newest)
    return facts
  })
}

/** All facts, with subscribers counted now: for a few channels, and for transactions that change subscriptions. */
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

/** Whether the last count of the channels' messages is more than an hour old. */
export async function isTrafficDue(sql: ISql, now: Date): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select at < ${now}::timestamptz - interval '1 hour' as due from channel_traffic_counted`
  return row?.due ?? false
}
