import type { ISql } from '../driver/db.js'

/** Whether the channel has messages in any topic but the empty one. */
export async function hasNamedTopics(sql: ISql, channelId: number): Promise<boolean> {
  const rows = await sql`select from messages where channel_id = ${channelId} and lower(topic) > '' limit 1`
  return rows.length > 0
}
