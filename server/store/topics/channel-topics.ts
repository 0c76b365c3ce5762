import type { ISql } from '../driver/db.js'

/** A topic in the spelling of its newest message, whose id is `max_id`. */
export interface ChannelTopic {
  readonly name: string
  readonly max_id: number
}

/** Topics of a channel, and the snapshot that shows them. */
export interface FoundTopics {
  /** channel_changes.version. */
  readonly version: number
  /** The oldest transaction that was open in the statement's snapshot. */
  readonly xmin: number
  /** Topic in lower case, name and max_id; `max_id` ascending. */
  readonly topics: readonly (readonly [string, string, number])[]
}

/** The topics of all messages, found by one look into the index for each topic. */
export function allTopics(sql: ISql, channelId: number): Promise<FoundTopics> {
  return found(
    sql,
    channelId,
    sql`
      with recursive keys as (
        (select lower(topic) as key from messages where channel_id = ${channelId} order by lower(topic) limit 1)
        union all
        select (select lower(m.topic) from messages m where m.channel_id = ${channelId} and lower(m.topic) > keys.key
          order by lower(m.topic) limit 1)
        from keys where keys.key is not null
      )
      select keys.key, newest.topic, newest.id
      from keys cross join lateral (
        select id, topic from messages where channel_id = ${channelId} and lower(topic) = keys.key order by id desc limit 1
      ) newest`,
  )
}

/** The topics of messages from an id on. */
export function topicsFrom(sql: ISql, channelId: number, first: number): Promise<FoundTopics> {
  return found(
    sql,
    channelId,
    sql`
      select distinct on (lower(topic)) lower(topic) as key, topic, id from messages
      where channel_id = ${channelId} and id >= ${first} order by lower(topic), id desc`,
  )
}

/** In one statement, so that version, transactions and topics are those of one snapshot. */
async function found(sql: ISql, channelId: number, topics: ReturnType<ISql>): Promise<FoundTopics> {
  const [row] = await sql<[FoundTopics]>`
    select coalesce((select version from channel_changes where channel_id = ${channelId}), 0) as version,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
      coalesce((select json_agg(json_build_array(key, topic, id) order by id) from (${topics}) as topics), '[]') as topics`
  return row
}

/** The topics of messages that a user received, newest message first: for channels with protected history (docs/protocol/permissions.md#protected-history). */
export async function receivedTopics(sql: ISql, channelId: number, userId: number): Promise<ChannelTopic[]> {
  return sql<ChannelTopic[]>`
    select name, max_id from (
      select distinct on (lower(topic)) topic as name, messages.id as max_id
      from messages join subscriptions on subscriptions.user_id = ${userId}
        and subscriptions.channel_id = messages.channel_id and messages.id <@ spans
      where messages.channel_id = ${channelId}
      order by lower(topic), messages.id desc
    ) newest
    order by max_id desc`
}
