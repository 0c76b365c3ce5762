import { topicKey } from '../../shared/resources/topic.js'
import type { ISql } from './db.js'

/** A message as it is stored. Exactly one of `channel_id` and `conversation_id` is set. */
export interface MessageRow {
  id: number
  sender_id: number
  channel_id: number | null
  conversation_id: number | null
  topic: string
  content: string
  rendered_content: string
  date_sent: Date
  client: string
  read_by_sender: boolean
  /** By everybody who received it, but those with a flag that says otherwise. */
  read_by_all: boolean
  is_me_message: boolean
  /** Bit 1: the channel's subscribers as a whole, bit 2: the topic's participants. */
  wildcard_mentions: number
}

/** A message to be stored, and what must still hold in the database for it to be right. */
export interface NewMessage extends Omit<MessageRow, 'id'> {
  readonly renderer_version: number
  readonly has_link: boolean
  readonly has_image: boolean
  readonly has_attachment: boolean
  /** Flags that are set from the beginning, of single users. */
  readonly flags: readonly { readonly userId: number; readonly flags: number }[]
  /** Encoded events that announce it; the first one is its main one. */
  readonly entries: readonly Uint8Array[]
  /** organization.version that the permissions were decided with. */
  readonly organizationVersion: number
  /** channels.version of the row that permissions were decided with; 0 in conversations. */
  readonly channelVersion: number
  /** channels.subscribers_version that the audience was read with; 0 in conversations. */
  readonly subscribersVersion: number
  /** Whether to find out if it is the first of its topic that its sender can see: one more look into an index. */
  readonly asksForStart: boolean
}

export interface InsertedMessage {
  readonly id: number
  /** Outbox ids of the entries, in their order. */
  readonly outboxIds: readonly number[]
  readonly xid: string
  /** It is the first message of its channel, as far as the channel knows. */
  readonly isFirst: boolean
  /** It is the first of its topic that its sender can see. False also where nobody asked. */
  readonly isStart: boolean
}

// Of arrays of these postgres.js would infer the element's type as that of the array.
const type = { boolean: 16, timestamptz: 1184 }

// A third shorter than the hexadecimal digits that a parameter of bytes is sent as.
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

interface InsertedRow {
  position: number
  id: number
  outbox_ids: number[] | null
  xid: string
  is_first: boolean
  is_start: boolean
}

/**
 * Stores messages with their outbox rows and flags in one statement, each only if what was decided about it still holds:
 * the organization has the version that permissions were computed with, and the channel (locked, so that a change under
 * way is waited for and seen) those of its row and of the audience. Undefined stands for those that must be decided anew.
 */
export async function insertMessages(
  sql: ISql,
  messages: readonly NewMessage[],
): Promise<(InsertedMessage | undefined)[]> {
  const column = <Value>(value: (message: NewMessage) => Value): Value[] => messages.map(value)
  const flags = messages.flatMap((message, position) => message.flags.map(flag => ({ position, ...flag })))
  const entries = messages.flatMap((message, position) =>
    message.entries.map(entry => ({ position, entry: base64(entry) })),
  )
  const rows = await sql<InsertedRow[]>`
    with given as (
      select * from unnest(
        ${messages.map((_, position) => position)}::int[],
        ${column(m => m.sender_id)}::int[], ${column(m => m.channel_id)}::int[], ${column(m => m.conversation_id)}::int[],
        ${column(m => m.topic)}::text[], ${column(m => m.content)}::text[], ${column(m => m.rendered_content)}::text[],
        ${column(m => m.renderer_version)}::int[], ${sql.array(
          column(m => m.date_sent),
          type.timestamptz,
        )}::timestamptz[], ${column(m => m.client)}::text[],
        ${sql.array(
          column(m => m.read_by_sender),
          type.boolean,
        )}::boolean[], ${sql.array(
          column(m => m.read_by_all),
          type.boolean,
        )}::boolean[], ${sql.array(
          column(m => m.is_me_message),
          type.boolean,
        )}::boolean[],
        ${sql.array(
          column(m => m.has_link),
          type.boolean,
        )}::boolean[], ${sql.array(
          column(m => m.has_image),
          type.boolean,
        )}::boolean[], ${sql.array(
          column(m => m.has_attachment),
          type.boolean,
        )}::boolean[],
        ${column(m => m.wildcard_mentions)}::int[],
        ${column(m => m.organizationVersion)}::bigint[], ${column(m => m.channelVersion)}::bigint[],
        ${column(m => m.subscribersVersion)}::bigint[], ${sql.array(
          column(m => m.asksForStart),
          type.boolean,
        )}::boolean[]
      ) as given (position, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
        date_sent, client, read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions,
        organization_version, channel_version, audience_version, asks_for_start)
    ), locked as materialized (
      select id, version, subscribers_version, first_message_id, history_public_to_subscribers from channels
      where id = any(${[...new Set(messages.flatMap(m => m.channel_id ?? []))]}::int[])
      order by id for share
    ), checked as materialized (
      select valid.*, nextval('messages_id_seq') as id from (
        select given.*, channel_id is not null and locked.first_message_id is null as is_first,
          asks_for_start and not exists (
            select from messages before
            where before.channel_id = given.channel_id and lower(before.topic) = lower(given.topic)
              and (locked.history_public_to_subscribers or before.id <@ (
                select spans from subscriptions own where own.user_id = given.sender_id and own.channel_id = given.channel_id))
          ) as is_start
        from given left join locked on locked.id = channel_id
        where organization_version = (select version from organization)
          and (channel_id is null or (channel_version, audience_version) = (locked.version, locked.subscribers_version))
        order by position
      ) valid
    ), announced as (
      insert into outbox (message_id, entry)
      select checked.id, decode(entries.entry, 'base64')
      from unnest(${entries.map(e => e.position)}::int[], ${entries.map(e => e.entry)}::text[])
        with ordinality as entries (position, entry, n)
        join checked using (position)
      order by entries.n
      returning id, message_id
    ), by_message as (
      select message_id, array_agg(id order by id) as ids from announced group by message_id
    ), stored as (
      insert into messages (id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
        date_sent, client, read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions, outbox_id)
      overriding system value
      select id, sender_id, channel_id, conversation_id, topic, content, rendered_content, renderer_version,
        date_sent, client, read_by_sender, read_by_all, is_me_message, has_link, has_image, has_attachment, wildcard_mentions, ids[1]
      from checked left join by_message on message_id = id
    ), flagged as (
      insert into message_flags (user_id, message_id, flags)
      select flags.user_id, checked.id, flags.flags
      from unnest(${flags.map(f => f.position)}::int[], ${flags.map(f => f.userId)}::int[], ${flags.map(f => f.flags)}::int[])
        as flags (position, user_id, flags)
        join checked using (position)
    )
    select position, id, ids as outbox_ids, pg_current_xact_id()::text as xid, is_first, is_start
    from checked left join by_message on message_id = id order by position`
  const inserted = new Array<InsertedMessage | undefined>(messages.length).fill(undefined)
  const started = new Set<string>()
  for (const row of rows) {
    const { channel_id, topic } = messages[row.position] as NewMessage
    // The statement does not see its own rows: of two that begin a topic together the first one does.
    const place = `${channel_id} ${topicKey(topic)}`
    const isStart = row.is_start && !started.has(place)
    if (isStart) started.add(place)
    const { id, outbox_ids, xid, is_first: isFirst } = row
    inserted[row.position] = { id, outboxIds: outbox_ids ?? [], xid, isFirst, isStart }
  }
  return inserted
}

/**
 * Notes the first message of channels that know none. Not part of the insert: two workers that share the channel's lock
 * there would wait for each other to write the row. What a dying worker leaves out, the next message makes good.
 */
export async function noteFirstMessages(sql: ISql, channelIds: readonly number[]): Promise<void> {
  await sql`
    update channels set first_message_id = (select min(id) from messages where channel_id = channels.id)
    where id = any(${channelIds as number[]}::int[]) and first_message_id is null`
}
