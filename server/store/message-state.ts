import { visibilityPolicy } from '../../shared/resources/user-topic.js'
import type { ISql } from './db.js'
import { q, run, unionAll } from './fragment.js'
import { flagBit, wildcardBit } from './message-flags.js'
import { narrowSources } from './narrow-sources.js'
import { type Narrow, narrowHead } from './narrow-sql.js'

/** Id of the newest message that the user received; undefined: none. One index lookup per channel and conversation. */
export async function newestReceived(sql: ISql, userId: number): Promise<number | undefined> {
  const [row] = await sql<{ id: number | null }[]>`
    select max(id) as id from (
      select newest.id from subscriptions s cross join lateral (
        select id from messages where channel_id = s.channel_id and id <@ s.spans
          and (upper_inf(s.spans) or id < upper(s.spans))
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

/** Unread messages of one topic or one conversation. */
export interface UnreadPlaceRow {
  channel_id: number | null
  /** The topic in the spelling of the newest of these messages. */
  topic: string
  /** All participants of the conversation, ascending; null in a channel. */
  user_ids: number[] | null
  is_muted: boolean
  /** Ascending. */
  ids: number[]
  /** `mentioned`: ids of messages that mention the user. `wildcard`: of messages that mention the channel or the topic as a whole. */
  mentioned: number[] | null
  wildcard: number[] | null
}

/** The newest unread messages, at most `limit`, grouped by topic and conversation. */
export async function unreadPlaces(sql: ISql, narrow: Narrow, limit: number): Promise<UnreadPlaceRow[]> {
  const unread: Narrow = { ...narrow, conditions: [...narrow.conditions, { kind: 'unread', negated: false }] }
  const newest = q`order by m.id desc limit ${limit}::int`
  return run<UnreadPlaceRow>(
    sql,
    q`${narrowHead(narrow)}, found as (
      select m.id from (${unionAll(narrowSources(unread, newest))}) m ${newest}
    )
    select u.channel_id, (array_agg(u.topic order by u.id desc))[1] as topic, c.user_ids,
      bool_or(case when t.visibility_policy is null then coalesce(s.is_muted, false)
        else t.visibility_policy = ${visibilityPolicy.muted}::int end) as is_muted, array_agg(u.id order by u.id) as ids,
      array_agg(u.id order by u.id) filter (where f.flags & ${flagBit.mentioned}::int <> 0) as mentioned,
      array_agg(u.id order by u.id) filter (where u.wildcard_mentions & ${wildcardBit.channel}::int <> 0
        or f.flags & ${flagBit.topic_wildcard_mentioned}::int <> 0) as wildcard
    from found join messages u on u.id = found.id
      left join subs s on s.channel_id = u.channel_id
      left join conversations c on c.id = u.conversation_id
      left join message_flags f on f.user_id = ${narrow.userId}::int and f.message_id = u.id
      left join user_topics t on t.user_id = ${narrow.userId}::int and t.channel_id = u.channel_id
        and lower(t.topic) = lower(u.topic)
    group by u.channel_id, u.conversation_id, lower(u.topic), c.user_ids`,
  )
}
