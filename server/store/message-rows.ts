import type { EditHistoryEntry } from '../../shared/resources/message.js'
import type { ISql } from './db.js'
import type { MessageRow } from './messages.js'

/** A message as one user sees it, with all that an answer shows of it. */
export interface SeenMessage extends MessageRow {
  last_edit_time: Date | null
  last_move_time: Date | null
  /** Newest first. */
  edit_history: EditHistoryEntry[] | null
  /** Of a conversation: all participants, ascending. */
  user_ids: number[] | null
  /** The user's row in message_flags; 0: none. */
  bits: number
  /** It was sent to the user: in one of its conversations, or to a channel while it was subscribed. */
  is_received: boolean
  is_subscribed: boolean
  is_read: boolean
  /** In the order in which they were given. */
  reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[] | null
}

/**
 * Messages by id, ascending, as the user sees them (0: a visitor without an account), whether or not it may: that is for
 * the caller to decide.
 */
export async function seenMessages(sql: ISql, userId: number, ids: readonly number[]): Promise<SeenMessage[]> {
  return sql<SeenMessage[]>`
    with wanted as materialized (select * from messages where id = any(${ids as number[]}::bigint[])),
    reads as materialized (
      select coalesce(range_agg(r), '{}'::int8multirange) as ranges
      from read_state, unnest(ranges) as r
      where user_id = ${userId} and block between (select min(id) from wanted) >> 16 and (select max(id) from wanted) >> 16
    )
    select m.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.content, m.rendered_content, m.date_sent,
      m.client, m.read_by_sender, m.read_by_all, m.is_me_message, m.wildcard_mentions, m.last_edit_time, m.last_move_time, m.edit_history,
      c.user_ids, coalesce(f.flags, 0) as bits,
      coalesce(c.user_ids @> array[${userId}::int] or m.id <@ s.spans, false) as is_received,
      coalesce(s.is_active, false) as is_subscribed,
      m.id <@ (select ranges from reads) or (m.channel_id is not null and s.is_active is not true)
        or ((m.read_by_all or m.sender_id = ${userId} and m.read_by_sender) and coalesce(f.flags, 0) & 64 = 0) as is_read,
      (select json_agg(json_build_object('emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
          'reaction_type', r.reaction_type, 'user_id', r.user_id) order by r.id)
        from reactions r where r.message_id = m.id) as reactions
    from wanted m
      left join conversations c on c.id = m.conversation_id
      left join subscriptions s on s.user_id = ${userId} and s.channel_id = m.channel_id
      left join message_flags f on f.user_id = ${userId} and f.message_id = m.id
    order by m.id`
}
