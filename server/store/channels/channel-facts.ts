import type { ISql } from '../driver/db.js'

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

type UncountedFacts = Omit<ChannelFacts, 'subscriber_count'> & {
  id: number
  /** Version of the list of subscribers. */
  subscribers_version: number
}

/** What the database stores about a channel for its facts. */
export interface UncountedChannel {
  id: number
  date_created: Date
  subscribers_version: number
  first_message_id: number | null
  /** Messages of four weeks; null: not counted yet. */
  messages: number | null
  /** channel_changes.version. */
  version: number
}

export interface StoredFacts extends UncountedChannel {
  /** False: the first message was looked up, because it is not stored yet (noteFirstMessages). */
  has_stored_first: boolean
  /** The version of lists of channels (channel-lists.ts). */
  lists_version: number
}

/** In any order; without channels that do not exist. A first message that is not stored yet is looked up. */
export async function storedFacts(sql: ISql, channelIds: readonly number[]): Promise<StoredFacts[]> {
  return sql<StoredFacts[]>`${selectFacts(sql, channelIds)}`
}

/** A statement, or a part of one, that selects `StoredFacts`. */
export const selectFacts = (sql: ISql, channelIds: readonly number[]) => sql`
  select id, date_created, subscribers_version,
    coalesce(first_message_id, (select min(id) from messages where channel_id = channels.id)) as first_message_id,
    first_message_id is not null as has_stored_first,
    messages, coalesce(channel_changes.version, 0) as version, (select version from lists_version) as lists_version
  from channels
    left join channel_traffic on channel_traffic.channel_id = channels.id
    left join channel_changes on channel_changes.channel_id = channels.id
  where id = any(${[...channelIds]})`

/** Channels that are known to have a recent message (memory/active-channels.ts). */
interface RecentlyActive {
  has(channelId: number, version: number, now: Date): boolean
  note(channelId: number, version: number, sent: Date): void
}

const noneKnown: RecentlyActive = { has: () => false, note() {} }

const dayMs = 86_400_000

/**
 * All facts except the number of subscribers. Recently active: the channel got a message or was created within 180 days. Traffic:
 * messages per week, averaged over the last four weeks. The newest message of a channel that `active` does not know is looked up.
 */
export async function uncountedFacts(
  sql: ISql,
  stored: readonly UncountedChannel[],
  active: RecentlyActive = noneKnown,
): Promise<UncountedFacts[]> {
  const now = new Date()
  const ageDays = (row: UncountedChannel) => Math.floor((now.getTime() - row.date_created.getTime()) / dayMs)
  const unknown = stored.filter(row => ageDays(row) >= 180 && !active.has(row.id, row.version, now)).map(row => row.id)
  const newest = await recentMessages(sql, unknown)
  // Not asked of `active` again: another request may have noted another version meanwhile.
  const inactive = new Set(unknown.filter(id => !newest.has(id)))
  return stored.map(row => {
    const { id, subscribers_version, first_message_id, messages } = row
    const sent = newest.get(id)
    if (sent) active.note(id, row.version, sent)
    const days = ageDays(row)
    const isCounted = days >= 7 && messages !== null
    return {
      id,
      subscribers_version,
      first_message_id,
      is_recently_active: !inactive.has(id),
      stream_weekly_traffic: isCounted ? Math.ceil((messages * 7) / Math.min(28, days)) : null,
    }
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
    storedFacts(sql, channelIds).then(stored => uncountedFacts(sql, stored)),
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
