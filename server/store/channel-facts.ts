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
  const rows = await sql<(UncountedFacts & { version: number })[]>`
    select id, subscribers_version,
      coalesce(first_message_id, (select min(id) from messages where channel_id = channels.id)) as first_message_id,
      date_created > now() - interval '180 days' as is_recently_active,
      case when date_created <= now() - interval '7 days' then
        ceil(channel_traffic.messages * 7.0 / least(28, extract(day from now() - date_created)))::int
      end as stream_weekly_traffic,
      coalesce(channel_changes.version, 0) as version
    from channels
      left join channel_traffic on channel_traffic.channel_id = channels.id
      left join channel_changes on channel_changes.channel_id = channels.id
    where id = any(${[...channelIds]})`
  const now = new Date()
  const unknown = rows
    .filter(row => !row.is_recently_active && !active.has(row.id, row.version, now))
    .map(row => row.id)
  const newest = await recentMessages(sql, unknown)
  // Not asked of `active` again: another request may have noted another version meanwhile.
  const inactive = new Set(unknown.filter(id => !newest.has(id)))
  return rows.map(row => {
    const { id, subscribers_version, first_message_id, stream_weekly_traffic } = row
    const sent = newest.get(id)
    if (sent) active.note(id, row.version, sent)
    return { id, subscribers_version, first_message_id, is_recently_active: !inactive.has(id), stream_weekly_traffic }
  })
}

/** The time of each channel's newest message, if it is at most 180 days old. */
async function recentMessages(sql: ISql, channelIds: readonly number[]): Promise<Map<number, Date>> {
  if (channelIds.length === 0) return new Map()
  const rows = await sql<{ channel_id: number; date_sent: Date }[]>`
    select newest.* from unnest(${[...channelIds]}::int[]) as wanted (id)
      cross join lateral (
        select channel_id, date_sent from messages where channel_id = wanted.id order by messages.id desc limit 1
      ) newest
    where date_sent > now() - interval '180 days'`
  return new Map(rows.map(row => [row.channel_id, row.date_sent]))
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
