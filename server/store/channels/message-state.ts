import type { ISql } from '../driver/db.js'

// How many of the newest ids are looked through before each channel and conversation of a user is looked up.
const newestIds = 256

/**
 * Ids of the newest messages that users received; users without any are left out. A user who receives many messages has one among the
 * newest, and any other has few channels and conversations, which are looked up in the index.
 */
export async function newestReceived(sql: ISql, userIds: readonly number[]): Promise<Map<number, number>> {
  // As JSON: with an array, PostgreSQL would plan the statement each time, which costs more than running it.
  const rows = await sql<{ id: number; newest: number | null }[]>`
    select u.id, coalesce(
      (
        select m.id from messages m left join conversations c on c.id = m.conversation_id
        where m.id > (select max(id) from messages) - ${newestIds}::int
          and (c.user_ids @> array[u.id] or exists (
            select from subscriptions s where s.user_id = u.id and s.channel_id = m.channel_id and m.id <@ s.spans
          ))
        order by m.id desc limit 1
      ),
      (
        select max(id) from (
          select newest.id from subscriptions s cross join lateral (
            select id from messages where channel_id = s.channel_id and id <@ s.spans
              and id < coalesce(upper(s.spans), 9223372036854775807)
            order by id desc limit 1
          ) newest where s.user_id = u.id
          union all
          select newest.id from conversations c cross join lateral (
            select id from messages where conversation_id = c.id order by id desc limit 1
          ) newest where c.user_ids @> array[u.id]
        ) places
      )
    ) as newest
    from (select value::int as id from json_array_elements_text(${JSON.stringify(userIds)}::text::json)) u`
  return new Map(rows.flatMap(({ id, newest }) => (newest === null ? [] : [[id, newest] as const])))
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
