import type { VisibilityPolicy } from '../../../shared/resources/user-topic.js'
import { lockKey } from '../driver/advisory-lock.js'
import type { ISql } from '../driver/db.js'
import { isVersion } from '../organization/organization.js'
import type { Parts } from '../organization/outbox.js'
import type { Topic, UserTopicRow } from './user-topics.js'

/** What a change of a user's policy for a topic rests on. */
export interface OpenedPolicy {
  readonly channel_version: number
  readonly subscribers_version: number
  /** Null: the user has never been subscribed to the channel. */
  readonly is_subscribed: boolean | null
  /** The present policy; null: the default. */
  readonly policy: Exclude<VisibilityPolicy, 0> | null
  /** Number of the user's policies. */
  readonly count: number
  /** A hash of all policies of the user. */
  readonly digest: string
  /** The muted topics as they will be, in a fixed order. */
  readonly muted: readonly UserTopicRow[]
}

/** Undefined: there is no such channel. `wanted`: the policy to which it changes at this time. */
export async function openPolicy(
  sql: ISql,
  userId: number,
  { channelId, topic }: Topic,
  { wanted, at }: { readonly wanted: VisibilityPolicy; readonly at: Date },
): Promise<OpenedPolicy | undefined> {
  const [row] = await sql<OpenedPolicy[]>`
    select channels.version as channel_version, subscribers_version, mine.is_active as is_subscribed,
      (
        select visibility_policy from user_topics
        where user_id = ${userId} and channel_id = ${channelId} and lower(topic) = lower(${topic})
      ) as policy,
      (select count(*)::int from user_topics where user_id = ${userId}) as count, topic_policies(${userId}) as digest,
      coalesce((
        select json_agg(json_build_object(
            'channel_id', channel_id, 'topic', topic, 'visibility_policy', 1, 'last_updated', floor(extract(epoch from last_updated)),
            'is_subscribed', coalesce(is_active, false))
          order by channel_id, lower(topic))
        from (
          select channel_id, topic, last_updated from user_topics
          where user_id = ${userId} and visibility_policy = 1 and (channel_id, lower(topic)) <> (${channelId}::int, lower(${topic}))
          union all
          select ${channelId}::int, ${topic}::text, ${at}::timestamptz where ${wanted}::int = 1
        ) muted left join (select channel_id, is_active from subscriptions where user_id = ${userId}) own using (channel_id)
      ), '[]') as muted
    from channels left join subscriptions mine on mine.user_id = ${userId} and mine.channel_id = channels.id
    where channels.id = ${channelId}`
  return row
}

/**
 * The part `checked`: locks the channel, against moves of the topic and changes of its subscribers, and then the user's policies, against every
 * other change of them (`holdPolicies`). A deactivation changes the version of the organization.
 */
export const stillPolicy = (
  sql: ISql,
  userId: number,
  { channelId, organizationVersion }: Record<'channelId' | 'organizationVersion', number>,
  { channel_version, subscribers_version, digest }: OpenedPolicy,
): Parts => sql`
  place as materialized (
    select version, subscribers_version from channels where id = ${channelId} for share
  ), held as materialized (
    select ${userId}::int as user_id, version, subscribers_version, pg_advisory_xact_lock_shared(${lockKey(sql, 'topic policies')}),
      pg_advisory_xact_lock(${lockKey(sql, 'topic policies', sql`${userId}::int`)})
    from place
  ), checked as materialized (
    select user_id from held
    where (version, subscribers_version) = (${channel_version}::bigint, ${subscribers_version}::bigint)
      and ${isVersion(sql, organizationVersion)} and topic_policies_now(user_id) = ${digest}
  )`

/** The part `done`: sets the policy; 0 removes it. */
export function storePolicy(
  sql: ISql,
  { channelId, topic }: Topic,
  { wanted, at }: { readonly wanted: VisibilityPolicy; readonly at: Date },
): Parts {
  if (wanted === 0) {
    return sql`
      done as (
        delete from user_topics using checked
        where user_topics.user_id = checked.user_id and channel_id = ${channelId} and lower(topic) = lower(${topic})
        returning channel_id
      )`
  }
  return sql`
    done as (
      insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
      select user_id, ${channelId}, ${topic}, ${wanted}, ${at} from checked
      on conflict (user_id, channel_id, lower(topic)) do update
        set topic = excluded.topic, visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
      returning channel_id
    )`
}
