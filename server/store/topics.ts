import type { ISql } from './db.js'

export async function topicExists(sql: ISql, channelId: number, topic: string): Promise<boolean> {
  const rows = await sql`
    select from messages where channel_id = ${channelId} and lower(topic) = lower(${topic}) limit 1`
  return rows.length > 0
}

/** Everybody who wrote in the topic or reacted to a message of it: whom `@topic` means. Ids ascending. */
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
