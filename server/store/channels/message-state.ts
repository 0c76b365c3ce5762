import { limits } from '../../../shared/limits.js'
import type { ISql, Query } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'

// How many of the newest ids are looked through before each channel and conversation of a user is looked up.
const newestIds = 256

/**
 * The id of the newest message that the user received; null: none. A user who receives many messages has one among the newest, and any
 * other has few channels and conversations, which are looked up in the index.
 */
export function newestReceived(sql: ISql, userId: UserId): Query<{ newest: number | null }> {
  return sql<{ newest: number | null }[]>`
    select coalesce(
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
    from (select ${userId}::int as id offset 0) u`
}

/** The user's conversations, sorted by their newest messages, newest first. */
export function recentConversations(sql: ISql, userId: UserId): Query<{ max_message_id: number; user_ids: number[] }> {
  return sql<{ max_message_id: number; user_ids: number[] }[]>`
    select newest.id as max_message_id, array_remove(c.user_ids, ${userId}::int) as user_ids
    from conversations c cross join lateral (
      select id from messages where conversation_id = c.id order by id desc limit 1
    ) newest where c.user_ids @> array[${userId}::int]
    order by max_message_id desc limit ${limits.recent_private_conversations_scanned}`
}

/** Ids of the messages that the user has starred, ascending. */
export function starredMessages(sql: ISql, userId: UserId): Query<{ id: number }> {
  return sql<{ id: number }[]>`
    select message_id as id from message_flags where user_id = ${userId} and flags & 1 <> 0 order by message_id`
}
