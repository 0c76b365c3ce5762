import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

/** What mail to an address becomes. */
export type MailTarget = MailReply | MailToChannel

/** A message of the account in a conversation. */
export interface MailReply {
  readonly purpose: 'reply'
  readonly user_id: number
  /** Null: a direct message. */
  readonly channel_id: number | null
  readonly topic: string
  /** Ids of the participants of a direct message. */
  readonly people: readonly number[]
  /** A message of the conversation, which may be gone; null: none is known. */
  readonly message_id: number | null
}

/** A message in a channel, with the subject as topic. */
export interface MailToChannel {
  readonly purpose: 'channel'
  /** The account that asked for the address. */
  readonly user_id: number
  /** Null: the email gateway bot. */
  readonly sender_id: number | null
  readonly channel_id: number
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The addresses of conversations, all different, or a later end of those that exist. */
export async function storeReplyAddresses(
  tx: Tx,
  addresses: readonly (MailReply & { readonly token: string })[],
  expires: Date,
): Promise<void> {
  const rows = addresses.map(({ token, ...target }) => ({ ...target, token_hash: digestOf(token).toString('hex') }))
  await tx`
    insert into mail_addresses as existing (token_hash, purpose, user_id, channel_id, topic, people, message_id, expires)
    select decode(token_hash, 'hex'), purpose, user_id, channel_id, topic, people, message_id, ${expires}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as given
      (token_hash text, purpose text, user_id int, channel_id int, topic text, people int[], message_id bigint)
    on conflict (token_hash) do update
      set expires = excluded.expires, message_id = coalesce(excluded.message_id, existing.message_id)`
}

/** The generation of the address of a channel; undefined: there is none. */
export async function channelAddressGeneration(
  sql: ISql,
  { user_id, sender_id, channel_id }: MailToChannel,
): Promise<number | undefined> {
  const [row] = await sql<{ generation: number | null }[]>`
    select max(generation) as generation from mail_addresses
    where purpose = 'channel' and channel_id = ${channel_id} and user_id = ${user_id} and sender_id is not distinct from ${sender_id}`
  return row?.generation ?? undefined
}

/** The address of a channel; it lasts until another one replaces it. */
export async function storeChannelAddress(
  sql: ISql,
  token: string,
  { user_id, sender_id, channel_id, generation }: MailToChannel & { readonly generation: number },
): Promise<void> {
  await sql`
    insert into mail_addresses (token_hash, purpose, user_id, sender_id, channel_id, generation)
    values (${digestOf(token)}, 'channel', ${user_id}, ${sender_id}, ${channel_id}, ${generation})
    on conflict (token_hash) do nothing`
}

/** Mail to the channel's addresses below this generation is refused from now on. */
export async function endChannelAddresses(
  sql: ISql,
  { user_id, sender_id, channel_id, generation }: MailToChannel & { readonly generation: number },
): Promise<void> {
  await sql`
    delete from mail_addresses
    where purpose = 'channel' and channel_id = ${channel_id} and user_id = ${user_id} and sender_id is not distinct from ${sender_id}
      and generation < ${generation}`
}

/**
 * What mail to the address with this token becomes: for a reply the place where the conversation is now. Undefined: there is no such address, or it has
 * ended.
 */
export async function targetOfToken(sql: ISql, token: string, now: Date): Promise<MailTarget | undefined> {
  const [row] = await sql<(MailReply | MailToChannel)[]>`
    select purpose, user_id, mail_addresses.sender_id, coalesce(messages.channel_id, mail_addresses.channel_id) as channel_id,
      coalesce(messages.topic, mail_addresses.topic) as topic, people, message_id
    from mail_addresses left join messages on messages.id = mail_addresses.message_id and messages.channel_id is not null
    where token_hash = ${digestOf(token)} and (expires is null or expires > ${now})`
  return row
}

/** Deletes addresses that have ended. */
export async function pruneMailAddresses(sql: ISql, now: Date): Promise<void> {
  await sql`delete from mail_addresses where expires <= ${now}`
}
