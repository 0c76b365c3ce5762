import type { ISql, Tx } from '../driver/db.js'
import { noteListChange } from '../driver/directory-lease.js'

/**
 * The newest messages of a topic, at most `limit`, ascending, and locked in that order, also against transactions that set flags on
 * them. `receivedBy`: only messages that this user received, for channels with protected history.
 */
export async function lockNewestOfTopic(
  tx: Tx,
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  limit: number,
  receivedBy: number | null,
): Promise<{ id: number; topic: string }[]> {
  return tx<{ id: number; topic: string }[]>`
    select id, topic from messages
    where id in (
      select id from messages
      where channel_id = ${channelId} and lower(topic) = lower(${topic})
        and (${receivedBy}::int is null or id <@ (
          select spans from subscriptions where user_id = ${receivedBy} and channel_id = ${channelId}))
      order by id desc limit ${limit})
    order by id for update`
}

/** The oldest messages of a channel, at most `limit`, ascending, and locked, also against transactions that set flags on them. */
export async function lockOldestOfChannel(
  tx: Tx,
  channelId: number,
  limit: number,
): Promise<{ id: number; topic: string; date_sent: Date }[]> {
  return tx<{ id: number; topic: string; date_sent: Date }[]>`
    select id, topic, date_sent from messages where channel_id = ${channelId} order by id limit ${limit} for update`
}

/** The oldest messages of a conversation, like `lockOldestOfChannel`. */
export async function lockOldestOfConversation(
  tx: Tx,
  conversationId: number,
  limit: number,
): Promise<{ id: number; date_sent: Date }[]> {
  return tx<{ id: number; date_sent: Date }[]>`
    select id, date_sent from messages where conversation_id = ${conversationId} order by id limit ${limit} for update`
}

/** What a message holds, independent of its readers. */
export interface MessageText {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly conversation_id: number | null
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly is_me_message: boolean
}

/** Undefined: there is no such message. */
export async function textOf(sql: ISql, id: number): Promise<MessageText | undefined> {
  const [message] = await sql<MessageText[]>`
    select id, sender_id, channel_id, conversation_id, topic, content, rendered_content, is_me_message from messages where id = ${id}`
  return message
}

/** Stores a new rendering of the same text. */
export async function storeRendering(
  tx: Tx,
  id: number,
  {
    rendered_content,
    renderer_version,
    has_image,
  }: { readonly rendered_content: string; readonly renderer_version: number; readonly has_image: boolean },
): Promise<void> {
  await tx`
    update messages set rendered_content = ${rendered_content}, renderer_version = ${renderer_version}, has_image = ${has_image},
      search = case when ${has_image} then search || '#image'::tsvector else ts_delete(search, '#image') end
    where id = ${id}`
}

/** Users with the same flags on a message; ids ascending. */
interface UserFlags {
  user_ids: number[]
  bits: number
  is_read: boolean
  is_received: boolean
  wildcard_mentions: number
}

/** The flags of users on a message, grouped by equal flags. */
export async function flagsOfUsers(tx: Tx, id: number, userIds: readonly number[]): Promise<UserFlags[]> {
  return tx<UserFlags[]>`
    select array_agg(user_id order by user_id) as user_ids, bits, is_read, is_received, wildcard_mentions from (
      select reader.id as user_id, coalesce(f.flags, 0) as bits, m.wildcard_mentions,
        coalesce(r.ranges @> m.id, false) or (m.channel_id is not null and s.is_active is not true)
          or ((m.read_by_all or m.sender_id = reader.id and m.read_by_sender) and coalesce(f.flags, 0) & 64 = 0) as is_read,
        m.conversation_id is not null or coalesce(m.id <@ s.spans, false) as is_received
      from messages m cross join unnest(${userIds as number[]}::int[]) as reader (id)
        left join message_flags f on f.message_id = m.id and f.user_id = reader.id
        left join read_state r on r.user_id = reader.id and r.block = (m.id >> 16)::int
        left join subscriptions s on s.user_id = reader.id and s.channel_id = m.channel_id
      where m.id = ${id}
    ) each_user
    group by bits, is_read, is_received, wildcard_mentions`
}

/**
 * Corrects the channel's stored first message. Undefined: it was correct. If the channel had none stored, the first message may have
 * been deleted before it was stored, and clients already know it, so this counts as a correction. The caller holds the channel's row.
 */
export async function correctFirstMessage(tx: Tx, channelId: number): Promise<{ first: number | null } | undefined> {
  noteListChange(tx)
  const [row] = await tx<{ first: number | null }[]>`
    update channels set first_message_id = actual.first
    from (select min(id) as first from messages where channel_id = ${channelId}) actual
    where channels.id = ${channelId}
      and (channels.first_message_id is null or channels.first_message_id is distinct from actual.first)
    returning actual.first`
  return row
}
