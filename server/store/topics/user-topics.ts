import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import { lockKey } from '../driver/advisory-lock.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

/** A user's visibility policy for a topic; the default policy has no row. */
export interface UserTopicRow {
  channel_id: number
  topic: string
  visibility_policy: Exclude<VisibilityPolicy, 0>
  /** In UNIX seconds. */
  last_updated: number
  /** Whether the user is subscribed to the channel. */
  is_subscribed: boolean
}

/** A topic of a channel; letter case does not matter. */
export interface Topic {
  readonly channelId: number
  readonly topic: string
}

// Above this number of users one lock for all users is used, because PostgreSQL has room for some thousand locks only.
const mostLocks = 50

/**
 * Locks the users' topic policies until the transaction ends, so that their changes run one after another: each event contains the
 * whole list. The caller holds the channel, so what it then reads about a topic stays valid.
 */
export async function holdPolicies(tx: Tx, userIds: readonly number[]): Promise<void> {
  if (userIds.length > mostLocks) {
    await tx`select pg_advisory_xact_lock(${lockKey(tx, 'topic policies')})`
    return
  }
  const sorted = [...userIds].sort((a, b) => a - b)
  await tx`
    select pg_advisory_xact_lock_shared(${lockKey(tx, 'topic policies')}), (
      select count(pg_advisory_xact_lock(${lockKey(tx, 'topic policies', tx`id`)}))
      from unnest(${sorted}::int[]) as given (id)
    )`
}

/** Lets messages that may start the topic follow one another, so that the second one finds the first. It is the first lock of its transaction. */
export async function holdStart(tx: Tx, { channelId, topic }: Topic): Promise<void> {
  const place = tx`hashtextextended(lower(${topic}), ${channelId}::int)`
  await tx`select pg_advisory_xact_lock(${lockKey(tx, 'topic start', place)})`
}

/** All topic policies of a user, in a fixed order. */
export function topicsOfUser(sql: ISql, userId: UserId): Query<UserTopicRow> {
  return sql<UserTopicRow[]>`
    select channel_id, topic, visibility_policy, ${lastUpdated(sql)}, coalesce(is_active, false) as is_subscribed
    from user_topics left join subscriptions using (user_id, channel_id)
    where user_id = ${userId} order by channel_id, lower(topic)`
}

const lastUpdated = (sql: ISql) => sql`floor(extract(epoch from last_updated))::bigint as last_updated`

export type MutedTopicRow = Omit<UserTopicRow, 'visibility_policy'> & { user_id: number }

/** The muted topics of the users, in a fixed order. */
export async function mutedTopics(sql: ISql, userIds: readonly number[]): Promise<MutedTopicRow[]> {
  return sql<MutedTopicRow[]>`
    select user_id, channel_id, topic, ${lastUpdated(sql)}, coalesce(is_active, false) as is_subscribed
    from user_topics left join subscriptions using (user_id, channel_id)
    where user_id = any(${[...userIds]}) and visibility_policy = 1
    order by user_id, channel_id, lower(topic)`
}

/** The policies for a topic of these users; `userIds` null: of all users. */
export async function policiesOfTopic(
  sql: ISql,
  { channelId, topic }: Topic,
  userIds: readonly number[] | null,
): Promise<Map<number, VisibilityPolicy>> {
  const rows = await sql<{ user_id: number; visibility_policy: VisibilityPolicy }[]>`
    select user_id, visibility_policy from user_topics
    where channel_id = ${channelId} and lower(topic) = lower(${topic})
      and (${userIds === null} or user_id = any(${userIds === null ? [] : [...userIds]}::int[]))
    order by user_id`
  return new Map(rows.map(row => [row.user_id, row.visibility_policy]))
}

/** Users who have a policy for a topic and received none of its messages. */
export async function policyHoldersWithoutMessages(tx: Tx, { channelId, topic }: Topic): Promise<number[]> {
  const rows = await tx<{ user_id: number }[]>`
    select user_id from user_topics left join subscriptions using (user_id, channel_id)
    where channel_id = ${channelId} and lower(topic) = lower(${topic}) and not exists (
      select from messages where messages.channel_id = ${channelId} and lower(messages.topic) = lower(${topic})
        and messages.id <@ subscriptions.spans)
    order by user_id`
  return rows.map(row => row.user_id)
}

/** New policies of users for a topic. */
interface ChangedPolicies {
  readonly topic: Topic
  readonly wanted: ReadonlyMap<number, VisibilityPolicy>
}

/** Parts of a statement whose part `checked` has a row: they store what `storePolicies` stores. */
export function policyParts(sql: ISql, changed: readonly ChangedPolicies[], at: Date): Parts {
  const rows = changed.flatMap(({ topic: { channelId, topic }, wanted }) =>
    [...wanted].map(([user_id, policy]) => ({ user_id, channel_id: channelId, topic, policy })),
  )
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as given (user_id int, channel_id int, topic text, policy smallint)`
  return sql`
    unset as (
      delete from user_topics using ${given}
      where user_topics.user_id = given.user_id and user_topics.channel_id = given.channel_id
        and lower(user_topics.topic) = lower(given.topic) and policy = 0 and exists (select from checked)
    ), set as (
      insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
      select user_id, channel_id, topic, policy, ${at} from ${given} where policy <> 0 and exists (select from checked)
      order by user_id
      on conflict (user_id, channel_id, lower(topic)) do update
        set topic = excluded.topic, visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
    )`
}

/** Stores the users' policies for a topic; policy 0 deletes the row. */
export async function storePolicies(
  tx: Tx,
  { channelId, topic }: Topic,
  policies: ReadonlyMap<number, VisibilityPolicy>,
  at: Date,
): Promise<void> {
  const removed = [...policies].flatMap(([userId, policy]) => (policy === 0 ? [userId] : []))
  const set = [...policies].filter(([, policy]) => policy !== 0)
  if (removed.length > 0) {
    await tx`
      delete from user_topics
      where user_id = any(${removed}) and channel_id = ${channelId} and lower(topic) = lower(${topic})`
  }
  if (set.length === 0) return
  await tx`
    insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
    select user_id, ${channelId}, ${topic}, policy, ${at}
    from unnest(${set.map(([userId]) => userId)}::int[], ${set.map(([, policy]) => policy)}::int[]) as given (user_id, policy)
    order by user_id
    on conflict (user_id, channel_id, lower(topic)) do update
      set topic = excluded.topic, visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated`
}
