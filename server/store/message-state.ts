import type { ISql } from './db.js'

/** Id of the newest message that the user received; undefined: none. One index lookup per channel and conversation. */
export async function newestReceived(sql: ISql, userId: number): Promise<number | undefined> {
  const [row] = await sql<{ id: number | null }[]>`
    select max(id) as id from (
      select newest.id from subscriptions s cross join lateral (
        select id from messages where channel_id = s.channel_id and id <@ s.spans
          and id < coalesce(upper(s.spans), 9223372036854775807)
        order by id desc limit 1
      ) newest where s.user_id = ${userId}
      union all
      select newest.id from conversations c cross join lateral (
        select id from messages where conversation_id = c.id order by id desc limit 1
      ) newest where c.user_ids @> array[${userId}::int]
    ) places`
  return row?.id ?? undefined
}

/** The user's conversations, sorted by their newest messages, newest first. */
export async function recentConversations(
  sql: ISql,
  userId: number,
  limit: number,
): Promise<{ max_message_id: number; user_ids: number[] }[]> {
  return sql<{ max_message_id: number; user_ids: number[] }[]>`
    select newest.id as max_message_id, array_remove(c.user_ids, ${userId}::int) as user_ids
    from conversations c cross join lateral (
      select id from messages where conversation_id = c.id order by id desc limit 1
    ) newest where c.user_ids @> array[${userId}::int]
    order by max_message_id desc limit ${limit}`
}

/** Ids of the messages that the user has starred, ascending. */
export async function starredMessages(sql: ISql, userId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select message_id as id from message_flags where user_id = ${userId} and flags & 1 <> 0 order by message_id`
  return rows.map(row => row.id)
}
