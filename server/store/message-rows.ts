import type { EditHistoryEntry } from '../../shared/resources/message.js'
import { budgets } from '../budgets.js'
import type { ISql } from './db.js'
import type { ShownEdits } from './message-history.js'
import type { MessageRow } from './messages.js'

/** The place of a message and one user's flags on it, without its texts. */
export interface PlacedMessage extends Omit<MessageRow, 'content' | 'rendered_content' | 'client' | 'is_me_message'> {
  /** All participants of the conversation, ascending; null in a channel. */
  user_ids: number[] | null
  /** The user's row in message_flags; 0: none. */
  bits: number
  /** The user received the message: in a conversation, or in a channel while subscribed. */
  is_received: boolean
  is_subscribed: boolean
  is_read: boolean
}

/** A message as one user sees it. */
export interface SeenMessage extends PlacedMessage, MessageRow {
  last_edit_time: Date | null
  last_move_time: Date | null
}

/** A message as one user sees it, with edit history and reactions for an answer. */
export interface AnswerMessage extends SeenMessage {
  /** Newest first, limited by the budgets; null: none. */
  edit_history: EditHistoryEntry[] | null
  /** In the order in which users added them. */
  reactions: { emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[] | null
}

/** As `seenMessages`, without texts, for many messages at once. */
export async function placedMessages(sql: ISql, userId: number, ids: readonly number[]): Promise<PlacedMessage[]> {
  return sql<
    PlacedMessage[]
  >`${wanted(sql, userId, ids)} select ${placement(sql, userId)} ${joined(sql, userId)} order by m.id`
}

/**
 * Messages with these ids, ascending, as the user sees them; `userId` 0: a visitor without an account. The caller checks whether the
 * user may see them.
 */
export async function seenMessages(sql: ISql, userId: number, ids: readonly number[]): Promise<SeenMessage[]> {
  return sql<SeenMessage[]>`
    ${wanted(sql, userId, ids)} select ${placement(sql, userId)}, ${texts(sql)} ${joined(sql, userId)} order by m.id`
}

/** Limits of an answer with messages. */
export interface AnswerRoom {
  /** Messages with ids close to this one come first. */
  readonly near: number
  /** Bytes of texts, reactions and edits; the message that reaches this size is the last one. */
  readonly bytes: number
  readonly edits: ShownEdits
}

// Approximate bytes of a message in an answer, without texts, reactions and edits.
const bytesOfFields = 600

/** The messages that fit into an answer, ascending, as the user sees them. */
export async function answerMessages(
  sql: ISql,
  userId: number,
  ids: readonly number[],
  { near, bytes, edits }: AnswerRoom,
): Promise<AnswerMessage[]> {
  return sql<AnswerMessage[]>`
    select * from (
      select *, sum(bytes) over (order by abs(id - ${near}::bigint), id) - bytes as bytes_before
      from (
        select *, ${bytesOfFields} + octet_length(content) + octet_length(rendered_content)
          + coalesce(octet_length(edit_history::text), 0) + coalesce(octet_length(reactions::text), 0) as bytes
        from (
          ${wanted(sql, userId, ids)}
          select ${placement(sql, userId)}, ${texts(sql)}, ${editHistory(sql, edits)} as edit_history,
            (select json_agg(json_build_object('emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
                'reaction_type', r.reaction_type, 'user_id', r.user_id) order by r.id)
              from reactions r where r.message_id = m.id) as reactions
          ${joined(sql, userId)}
        ) seen
      ) sized
    ) placed
    where bytes_before < ${bytes}
    order by id`
}

const wanted = (sql: ISql, userId: number, ids: readonly number[]) => sql`
  with wanted as materialized (select * from messages where id = any(${ids as number[]}::bigint[])),
  reads as materialized (
    select coalesce(range_agg(r), '{}'::int8multirange) as ranges
    from read_state, unnest(ranges) as r
    where user_id = ${userId} and block between (select min(id) from wanted) >> 16 and (select max(id) from wanted) >> 16
  )`

const placement = (sql: ISql, userId: number) => sql`
  m.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.date_sent, m.read_by_sender, m.read_by_all, m.wildcard_mentions,
  c.user_ids, coalesce(f.flags, 0) as bits,
  coalesce(c.user_ids @> array[${userId}::int] or m.id <@ s.spans, false) as is_received,
  coalesce(s.is_active, false) as is_subscribed,
  m.id <@ (select ranges from reads) or (m.channel_id is not null and s.is_active is not true)
    or ((m.read_by_all or m.sender_id = ${userId} and m.read_by_sender) and coalesce(f.flags, 0) & 64 = 0) as is_read`

const texts = (sql: ISql) =>
  sql`m.content, m.rendered_content, m.client, m.is_me_message, m.last_edit_time, m.last_move_time`

const joined = (sql: ISql, userId: number) => sql`
  from wanted m
    left join conversations c on c.id = m.conversation_id
    left join subscriptions s on s.user_id = ${userId} and s.channel_id = m.channel_id
    left join message_flags f on f.user_id = ${userId} and f.message_id = m.id`

/** Looks up edits only of messages that were edited or moved. */
function editHistory(sql: ISql, edits: ShownEdits) {
  if (edits === 'none') return sql`null::json`
  const ofTexts = edits === 'all'
  return sql`case when m.last_edit_time is not null or m.last_move_time is not null then (
    select json_agg(json_strip_nulls(json_build_object(
        'user_id', user_id, 'timestamp', floor(extract(epoch from edited_at))::bigint, 'prev_stream', prev_stream, 'stream', stream,
        'prev_topic', prev_topic, 'topic', topic, 'prev_content', prev_content, 'prev_rendered_content', prev_rendered_content
      )) order by id desc)
    from (
      select *, sum(coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0)) over (order by id desc) as bytes
      from (
        select id, user_id, edited_at, prev_stream, stream, prev_topic, topic,
          ${ofTexts ? sql`prev_content, prev_rendered_content` : sql`null::text as prev_content, null::text as prev_rendered_content`}
        from message_edits where message_id = m.id
          ${ofTexts ? sql`` : sql`and (prev_topic is not null or prev_stream is not null)`}
        order by id desc limit ${budgets.editsInAnswer.most}
      ) newest
    ) edits where bytes <= ${budgets.editBytesInAnswer.most}
  ) end`
}
