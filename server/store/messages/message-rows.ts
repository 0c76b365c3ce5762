import type { EditHistoryEntry } from '../../../shared/resources/message.js'
import type { Submessage } from '../../../shared/resources/submessage.js'
import { budgets } from '../../config/budgets.js'
import type { ISql } from '../driver/db.js'
import { rowsOfText, runText } from '../driver/statement-text.js'
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
  /** Bytes of its submessages; 0: it has none. */
  submessage_bytes: number
  last_edit_time: Date | null
  last_move_time: Date | null
}

/** A message as one user sees it, with edit history and reactions for an answer. */
export interface AnswerMessage extends SeenMessage {
  /** Newest first, limited by the budgets; null: none. */
  edit_history: EditHistoryEntry[] | null
  /** In the order in which users added them. */
  reactions: { id: number; emoji_name: string; emoji_code: string; reaction_type: string; user_id: number }[] | null
  /** By id; null: none. */
  submessages: Submessage[] | null
  /** The transaction that wrote the row, from its column xmin. */
  row_version: number
}

/** As `seenMessages`, without texts, for many messages at once. */
export async function placedMessages(sql: ISql, userId: number, ids: readonly number[]): Promise<PlacedMessage[]> {
  return runText<PlacedMessage>(
    sql,
    `${wanted} select ${placement}, ${place} ${joined} order by m.id`,
    [ids, userId],
    prepared,
  )
}

/**
 * Messages with these ids, ascending, as the user sees them; `userId`0: a spectator. The caller checks whether the
 * user may see them.
 */
export async function seenMessages(sql: ISql, userId: number, ids: readonly number[]): Promise<SeenMessage[]> {
  return runText<SeenMessage>(sql, `${wanted} select ${fields} ${joined} order by m.id`, [ids, userId], prepared)
}

/** Limits of an answer with messages. */
export interface AnswerRoom {
  /** Messages with ids close to this one come first. */
  readonly near: number
  /** Bytes of texts, reactions and edits; the message that reaches this size is the last one. */
  readonly bytes: number
  readonly edits: ShownEdits
  /** Which texts the answer shows; the other one is left empty, because it would double the bytes that a page reads. */
  readonly texts: 'content' | 'rendered_content' | 'both'
}

const prepared = { prepare: true }
// Approximate bytes of a message in an answer, without texts, reactions and edits.
const bytesOfFields = 600
// Upper bounds, with names and topics of the greatest length.
const bytesOfReaction = 500
const bytesOfEdit = 1000

/** The messages that fit into an answer, ascending, as the user sees them. */
export async function answerMessages(
  sql: ISql,
  userId: number,
  ids: readonly number[],
  room: AnswerRoom,
): Promise<AnswerMessage[]> {
  // Nearly every page fits as a whole, and finding out which of its messages fit would cost PostgreSQL a fifth more.
  const all = await allAnswerMessages(sql, userId, ids, room)
  if (all) return all
  const { near, bytes, edits, texts } = room
  return (await rowsOfText(sql, answers[edits].fitting, [ids, userId, ...shown(texts), near, bytes])).map(answerMessage)
}

/** As `answerMessages`; undefined if not all of them fit, or none exists. */
export async function allAnswerMessages(
  sql: ISql,
  userId: number,
  ids: readonly number[],
  { bytes, edits, texts }: Omit<AnswerRoom, 'near'>,
): Promise<AnswerMessage[] | undefined> {
  const parameters = [ids, userId, ...shown(texts), bytes - bytesOfFields * ids.length]
  const rows = await rowsOfText(sql, answers[edits].all, parameters)
  return rows.length > 0 ? rows.map(answerMessage) : undefined
}

/** Whether the answer shows the source, and whether the HTML. */
const shown = (texts: AnswerRoom['texts']): [boolean, boolean] => [texts !== 'rendered_content', texts !== 'content']

/**
 * A row of the answer as an object. A literal, because objects to which the driver adds one property after the other cost the worker a
 * tenth more CPU time for a page of messages. The cast states the types of the columns, which the driver does not know.
 */
function answerMessage(row: readonly unknown[]): AnswerMessage {
  const [id, sender_id, channel_id, conversation_id, topic, date_sent, read_by_sender, read_by_all, wildcard_mentions] =
    row
  const [content, rendered_content, client, is_me_message, last_edit_time, last_move_time, submessage_bytes] =
    row.slice(9)
  const [user_ids, bits, is_received, is_subscribed, is_read, edit_history, reactions, submessages, row_version] =
    row.slice(16)
  return {
    id,
    sender_id,
    channel_id,
    conversation_id,
    topic,
    date_sent,
    read_by_sender,
    read_by_all,
    wildcard_mentions,
    content,
    rendered_content,
    client,
    is_me_message,
    last_edit_time,
    last_move_time,
    submessage_bytes,
    user_ids,
    bits,
    is_received,
    is_subscribed,
    is_read,
    edit_history,
    reactions,
    submessages,
    row_version,
  } as AnswerMessage
}

// The statements are constant texts. $1: ids of the messages, $2: id of the user.
const wanted = `
  with wanted as materialized (select *, xmin::text::bigint as row_version from messages where id = any($1::bigint[])),
  reads as materialized (
    select coalesce(range_agg(r), '{}'::int8multirange) as ranges
    from read_state, unnest(ranges) as r
    where user_id = $2::int and block between (select min(id) from wanted) >> 16 and (select max(id) from wanted) >> 16
  )`

const placement =
  'm.id, m.sender_id, m.channel_id, m.conversation_id, m.topic, m.date_sent, m.read_by_sender, m.read_by_all, m.wildcard_mentions'

const place = `
  c.user_ids, coalesce(f.flags, 0) as bits,
  coalesce(c.user_ids @> array[$2::int] or m.id <@ s.spans, false) as is_received,
  coalesce(s.is_active, false) as is_subscribed,
  m.id <@ (select ranges from reads) or (m.channel_id is not null and s.is_active is not true)
    or ((m.read_by_all or m.sender_id = $2::int and m.read_by_sender) and coalesce(f.flags, 0) & 64 = 0) as is_read`

const facts = `m.client, m.is_me_message, m.last_edit_time, m.last_move_time, m.submessage_bytes, ${place}`

const fields = `${placement}, m.content, m.rendered_content, ${facts}`

// $3 and $4: whether the answer shows the source and the HTML.
const answerFields = `
  ${placement}, case when $3::boolean then m.content else '' end as content,
  case when $4::boolean then m.rendered_content else '' end as rendered_content, ${facts}`

const joined = `
  from wanted m
    left join conversations c on c.id = m.conversation_id
    left join subscriptions s on s.user_id = $2::int and s.channel_id = m.channel_id
    left join message_flags f on f.user_id = $2::int and f.message_id = m.id`

// Looked up only of messages that have some.
const submessages = `
  case when m.submessage_bytes > 0 then (
    select json_agg(json_build_object('id', s.id, 'message_id', s.message_id, 'sender_id', s.sender_id, 'msg_type', s.msg_type,
      'content', s.content) order by s.id)
    from submessages s where s.message_id = m.id
  ) end as submessages`

const answers = { all: answerOf('all'), moves: answerOf('moves'), none: answerOf('none') }

/** The statements of an answer that fits as a whole ($5: bytes of texts, reactions and edits), and of any ($5: `near`, $6: `bytes`). */
function answerOf(edits: ShownEdits): { all: string; fitting: string } {
  const answered = `
    select ${answerFields}, ${editHistory(edits)} as edit_history,
      (select json_agg(json_build_object('id', r.id, 'emoji_name', r.emoji_name, 'emoji_code', r.emoji_code,
          'reaction_type', r.reaction_type, 'user_id', r.user_id) order by r.id)
        from reactions r where r.message_id = m.id) as reactions,
      ${submessages}, m.row_version
    ${joined}`
  const all = `${wanted} ${answered} where (${bytesOfAll(edits)}) < $5::bigint order by m.id`
  // `seen` is materialized, or PostgreSQL would collect the reactions and edits of each message twice.
  const fitting = `
    ${wanted}, seen as materialized (${answered}),
    placed as (
      select id, sum(bytes) over (order by abs(id - $5::bigint), id) - bytes as bytes_before
      from (
        select id, ${bytesOfFields} + octet_length(content) + octet_length(rendered_content)
          + coalesce(octet_length(edit_history::text), 0) + coalesce(octet_length(reactions::text), 0)
          + coalesce(octet_length(submessages::text), 0) as bytes
        from seen
      ) sized
    )
    select * from seen where id in (select id from placed where bytes_before < $6::bigint) order by id`
  return { all, fitting }
}

/** Upper bound of the bytes of all wanted messages' texts, reactions and edits. */
function bytesOfAll(edits: ShownEdits): string {
  const ofEdits = `
    coalesce((
      select sum(${bytesOfEdit} + coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0))
      from message_edits
      where message_id in (select id from wanted where last_edit_time is not null or last_move_time is not null)), 0)`
  return `
    select sum(octet_length(content) + octet_length(rendered_content) + submessage_bytes)
      + (select count(*) from reactions where message_id = any($1::bigint[])) * ${bytesOfReaction}
      + ${edits === 'none' ? '0' : ofEdits}
    from wanted`
}

/** Looks up edits only of messages that were edited or moved. */
function editHistory(edits: ShownEdits): string {
  if (edits === 'none') return 'null::json'
  const withTexts = edits === 'all'
  return `case when m.last_edit_time is not null or m.last_move_time is not null then (
    select json_agg(json_strip_nulls(json_build_object(
        'user_id', user_id, 'timestamp', floor(extract(epoch from edited_at))::bigint, 'prev_stream', prev_stream, 'stream', stream,
        'prev_topic', prev_topic, 'topic', topic, 'prev_content', prev_content, 'prev_rendered_content', prev_rendered_content
      )) order by id desc)
    from (
      select *, sum(coalesce(octet_length(prev_content) + octet_length(prev_rendered_content), 0)) over (order by id desc) as bytes
      from (
        select id, user_id, edited_at, prev_stream, stream, prev_topic, topic,
          ${withTexts ? 'prev_content, prev_rendered_content' : 'null::text as prev_content, null::text as prev_rendered_content'}
        from message_edits where message_id = m.id
          ${withTexts ? '' : 'and (prev_topic is not null or prev_stream is not null)'}
        order by id desc limit ${budgets.editsInAnswer.most}
      ) newest
    ) edits where bytes <= ${budgets.editBytesInAnswer.most}
  ) end`
}
