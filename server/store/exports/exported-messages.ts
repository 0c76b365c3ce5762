import type { ISql } from '../driver/db.js'
import { channelsOf, type ExportScope, hasMessage } from './export-scope.js'
import { recipientOf } from './recipients.js'

/** A message, with what decides who received and read it. */
export interface ExportedMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  /** Of a direct message, ascending. */
  readonly user_ids: readonly number[] | null
  readonly read_by_sender: boolean
  readonly read_by_all: boolean
  readonly wildcard_mentions: number
  readonly client: string
  /** JSON object with the fields of the archive, except the client. */
  readonly text: string
}

// Messages that one statement looks at. A message takes 1 to 2 kB, with the largest edit history some MB.
const together = 500

/** The messages of the scope with ids above `after`, ascending. Each batch is read in a snapshot of its own. */
export async function* exportedMessages(
  sql: ISql,
  scope: ExportScope,
  after: number,
): AsyncGenerator<ExportedMessage[]> {
  for (let from = after; from < scope.cut; ) {
    const [row] = await sql<{ last: number | null }[]>`
      select max(id) as last from (
        select id from messages where id > ${from} and id <= ${scope.cut} order by id limit ${together}
      ) next`
    const last = row?.last ?? scope.cut
    yield await batch(sql, scope, from, last)
    from = last
  }
}

const batch = (sql: ISql, scope: ExportScope, from: number, last: number): Promise<ExportedMessage[]> =>
  sql<ExportedMessage[]>`
    select m.id, m.sender_id, m.channel_id, c.user_ids, m.read_by_sender, m.read_by_all, m.wildcard_mentions, m.client,
      json_build_object(
        'id', m.id, 'sender', m.sender_id, 'realm', 1, 'recipient', ${recipientOf(sql)}, 'subject', ${topicOf(sql, scope)}, 'content', m.content,
        'rendered_content', m.rendered_content, 'rendered_content_version', m.renderer_version,
        'date_sent', extract(epoch from m.date_sent), 'last_edit_time', extract(epoch from greatest(m.last_edit_time, m.last_move_time)),
        'edit_history', case when m.last_edit_time is null and m.last_move_time is null then null else ${historyOf(sql, scope)} end,
        'has_attachment', m.has_attachment, 'has_image', m.has_image, 'has_link', m.has_link,
        'type', 1, 'is_channel_message', m.channel_id is not null
      )::text as text
    from messages m left join conversations c on c.id = m.conversation_id
    where m.id > ${from} and m.id <= ${last} and ${hasMessage(sql, scope)}
    order by m.id`

// I2: others may have moved a message of a person to a channel or a topic that it may not read.
/** The topic of `m`; null: the person of the export may not read its channel. */
const topicOf = (sql: ISql, scope: ExportScope) =>
  scope.person
    ? sql`case when m.channel_id is null or m.channel_id = any(${channelsOf(scope)}::int[]) then m.topic end`
    : sql`m.topic`

/** The earlier texts and places of `m` as JSON text, the newest first. It names no channel that the export leaves out. */
function historyOf(sql: ISql, scope: ExportScope) {
  if (scope.person) return ownHistoryOf(sql, scope.person.id)
  const channels = channelsOf(scope)
  const known = (column: string) =>
    channels === null
      ? sql`e.${sql(column)}`
      : sql`case when e.${sql(column)} = any(${channels}::int[]) then e.${sql(column)} end`
  return sql`(
    select json_agg(json_strip_nulls(json_build_object(
      'user_id', e.user_id, 'timestamp', floor(extract(epoch from e.edited_at))::bigint,
      'prev_stream', ${known('prev_stream')}, 'stream', ${known('stream')}, 'prev_topic', e.prev_topic, 'topic', e.topic,
      'prev_content', e.prev_content, 'prev_rendered_content', e.prev_rendered_content
    )) order by e.id desc)::text
    from message_edits e where e.message_id = m.id)`
}

/** The earlier texts of `m` by the person who sent it. */
const ownHistoryOf = (sql: ISql, userId: number) => sql`(
  select json_agg(json_build_object(
    'user_id', e.user_id, 'timestamp', floor(extract(epoch from e.edited_at))::bigint,
    'prev_content', e.prev_content, 'prev_rendered_content', e.prev_rendered_content
  ) order by e.id desc)::text
  from message_edits e
  where e.message_id = m.id and m.sender_id = ${userId} and e.user_id = ${userId} and e.prev_content is not null)`

/** Subscribers of a channel who received the same messages among those between two ids. */
export interface ReceiverGroup {
  readonly channel_id: number
  readonly is_active: boolean
  /** Text of a multirange. */
  readonly ids: string
  /** Ascending. */
  readonly user_ids: readonly number[]
}

/** Who received messages of these channels with ids from `from` to `last`, of the listed accounts; null: of all. */
export const receiverGroups = (
  sql: ISql,
  channelIds: readonly number[],
  { from, last, accounts }: Window,
): Promise<ReceiverGroup[]> =>
  sql<ReceiverGroup[]>`
    select channel_id, is_active, ids, array_agg(user_id order by user_id) as user_ids from (
      select channel_id, is_active, user_id, (spans * ${windowOf(sql, from, last)})::text as ids
      from subscriptions
      where channel_id = any(${channelIds as number[]}::int[]) and spans && ${windowOf(sql, from, last)}
        and (${accounts === null}::boolean or user_id = any(${(accounts ?? []) as number[]}::int[]))
    ) of_each
    group by channel_id, is_active, ids
    order by channel_id, is_active, ids`

interface Window {
  readonly from: number
  readonly last: number
  readonly accounts: readonly number[] | null
}

/** Accounts that read the same messages among those between two ids. */
export const readerGroups = (
  sql: ISql,
  userIds: readonly number[],
  { from, last }: Omit<Window, 'accounts'>,
): Promise<{ ids: string; user_ids: readonly number[] }[]> =>
  sql<{ ids: string; user_ids: readonly number[] }[]>`
    select ids::text, array_agg(user_id) as user_ids from (
      select user_id, range_agg(r) * ${windowOf(sql, from, last)} as ids
      from read_state cross join unnest(ranges) as r
      where user_id = any(${userIds as number[]}::int[]) and block between ${from}::bigint >> 16 and ${last}::bigint >> 16
        and ranges && ${windowOf(sql, from, last)} and r && int8range(${from}::bigint, ${last}::bigint, '[]')
      group by user_id
    ) of_each group by ids`

const windowOf = (sql: ISql, from: number, last: number) =>
  sql`int8multirange(int8range(${from}::bigint, ${last}::bigint, '[]'))`

/** The flags that the listed accounts have set on messages with these ids; null: all accounts. */
export const flagsOf = (
  sql: ISql,
  messageIds: readonly number[],
  accounts: readonly number[] | null,
): Promise<{ message_id: number; user_id: number; flags: number }[]> =>
  sql<{ message_id: number; user_id: number; flags: number }[]>`
    select message_id, user_id, flags from message_flags
    where message_id = any(${messageIds as number[]}::bigint[])
      and (${accounts === null}::boolean or user_id = any(${(accounts ?? []) as number[]}::int[]))
    order by message_id, user_id`
