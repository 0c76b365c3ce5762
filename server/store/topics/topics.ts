import type { ISql } from '../driver/db.js'

export async function topicExists(sql: ISql, channelId: number, topic: string): Promise<boolean> {
  const rows = await sql`
    select from messages where channel_id = ${channelId} and lower(topic) = lower(${topic}) limit 1`
  return rows.length > 0
}

/** A topic to read; `isOpen`: with its whole history, otherwise with what the reader received. */
export interface ReadTopic {
  readonly channelId: number
  readonly topic: string
  readonly isOpen: boolean
}

/** Ids of the newest message in each topic that the user can see; the caller has checked that the user may read the channels. */
export async function newestInTopics(
  sql: ISql,
  userId: number,
  topics: readonly ReadTopic[],
): Promise<(number | null)[]> {
  const rows = await sql<{ id: number | null }[]>`
    select (
      select id from messages
      where messages.channel_id = given.channel_id and lower(messages.topic) = lower(given.topic)
        and (given.is_open = 1 or id <@ (
          select spans from subscriptions where user_id = ${userId} and subscriptions.channel_id = given.channel_id))
      order by id desc limit 1
    ) as id
    from unnest(
      ${topics.map(one => one.channelId)}::int[], ${topics.map(one => one.topic)}::text[],
      ${topics.map(one => Number(one.isOpen))}::int[]
    ) with ordinality as given (channel_id, topic, is_open, place)
    order by place`
  return rows.map(row => row.id)
}

/** The users that `@topic` mentions: those who sent a message to the topic or reacted to one. Ids ascending. */
export async function topicParticipants(sql: ISql, channelId: number, topic: string): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with of_topic as (
      select id, sender_id from messages where channel_id = ${channelId} and lower(topic) = lower(${topic})
    )
    select sender_id as id from of_topic
    union
    select reactions.user_id from of_topic join reactions on reactions.message_id = of_topic.id
    order by id`
  return rows.map(row => row.id)
}
