import type { ISql, Sql, Tx } from '../driver/db.js'

/** A topic of a channel in which people wrote. */
export interface BusyTopic {
  readonly channel_id: number
  /** In the spelling of its newest message. */
  readonly topic: string
  /** As `lower(topic)`. */
  readonly key: string
  /** Messages of people, and the people who wrote them. */
  readonly messages: number
  readonly senders: number
  /** The oldest, at most `firstMessages`. */
  readonly first_ids: readonly number[]
  /** Some of those who wrote, ascending. */
  readonly sender_ids: readonly number[]
}

const firstMessages = 2
const namedSenders = 5
const topicsOfChannel = 4

/**
 * The topics of these channels in which people wrote since the message `since`: of each channel those with most writers, and those with
 * most messages.
 */
export function busyTopics(sql: Sql, channelIds: readonly number[], since: number): Promise<BusyTopic[]> {
  return sql<BusyTopic[]>`
    with written as (
      select messages.id, channel_id, topic, lower(topic) as key, sender_id
      from messages join users on users.id = sender_id and not users.is_bot
      where messages.id >= ${since} and channel_id = any(${channelIds as number[]}::int[])
    ), topics as (
      select channel_id, key, count(*)::int as messages, count(distinct sender_id)::int as senders,
        (array_agg(topic order by id desc))[1] as topic, (array_agg(id order by id))[1:${firstMessages}] as first_ids,
        (array_agg(distinct sender_id))[1:${namedSenders}] as sender_ids
      from written group by channel_id, key
    ), ranked as (
      select topics.*,
        row_number() over (partition by channel_id order by senders desc, messages desc, key) as by_senders,
        row_number() over (partition by channel_id order by messages desc, senders desc, key) as by_messages
      from topics
    )
    select channel_id, topic, key, messages, senders, first_ids, sender_ids from ranked
    where least(by_senders, by_messages) <= ${topicsOfChannel} order by channel_id, key`
}

interface Period {
  readonly since: Date
  /** The first message of the period. */
  readonly firstId: number
  /** Digests of this time or later are not followed by another one. */
  readonly lastDigest: Date
}

/** Which of the users neither used a session nor wrote in the period, and got no digest lately. */
export async function awayAmong(sql: ISql, userIds: readonly number[], period: Period): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from unnest(${userIds as number[]}::int[]) as given (id)
    where not exists (select from sessions where user_id = given.id and last_used >= ${period.since})
      and not exists (select from messages where sender_id = given.id and messages.id >= ${period.firstId})
      and not exists (select from sent_digests where user_id = given.id and at >= ${period.lastDigest})`
  return rows.map(row => row.id)
}

/** Which of the channels each user receives, unmuted, since the message `since` without a gap. Users without any have no entry. */
export async function receivedChannels(
  sql: ISql,
  userIds: readonly number[],
  { channelIds, since }: { readonly channelIds: readonly number[]; readonly since: number },
): Promise<Map<number, readonly number[]>> {
  const rows = await sql<{ user_id: number; channel_ids: number[] }[]>`
    select user_id, array_agg(channel_id order by channel_id) as channel_ids from subscriptions
    where user_id = any(${userIds as number[]}::int[]) and channel_id = any(${channelIds as number[]}::int[])
      and is_active and not is_muted and spans @> int8range(${since}, null)
    group by user_id`
  return new Map(rows.map(row => [row.user_id, row.channel_ids]))
}

/** The topics that each user has muted, as `<channel id> <lower(topic)>`. */
export async function mutedTopicKeys(sql: ISql, userIds: readonly number[]): Promise<Map<number, ReadonlySet<string>>> {
  const rows = await sql<{ user_id: number; keys: string[] }[]>`
    select user_id, array_agg(channel_id || ' ' || lower(topic)) as keys from user_topics
    where user_id = any(${userIds as number[]}::int[]) and visibility_policy = 1 group by user_id`
  return new Map(rows.map(row => [row.user_id, new Set(row.keys)]))
}

/** A message that a digest shows. */
export interface SampleMessage {
  readonly id: number
  readonly sender_id: number
  /** UNIX seconds. */
  readonly time: number
  /** Null: it is too long. */
  readonly html: string | null
}

export async function sampleMessages(
  sql: ISql,
  ids: readonly number[],
  mostCharacters: number,
): Promise<Map<number, SampleMessage>> {
  const rows = await sql<SampleMessage[]>`
    select id, sender_id, extract(epoch from date_sent)::int as time,
      case when length(rendered_content) <= ${mostCharacters} then rendered_content end as html
    from messages where id = any(${ids as number[]}::bigint[])`
  return new Map(rows.map(row => [row.id, row]))
}

/** Notes that these users get a digest now. Returns those who got none since `lastDigest`, by another worker either. */
export async function noteDigests(
  tx: Tx,
  userIds: readonly number[],
  { now, lastDigest }: { readonly now: Date; readonly lastDigest: Date },
): Promise<ReadonlySet<number>> {
  const rows = await tx<{ user_id: number }[]>`
    insert into sent_digests (user_id, at) select unnest(${userIds as number[]}::int[]), ${now}
    on conflict (user_id) do update set at = excluded.at where sent_digests.at < ${lastDigest}
    returning user_id`
  return new Set(rows.map(row => row.user_id))
}
