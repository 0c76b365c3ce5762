import type { Tx } from '../driver/db.js'

/** Selects messages in these channels, and direct messages if `direct`. */
export interface KindsOfMessages {
  readonly channelIds: readonly number[]
  readonly direct: boolean
}

/** The topic or the conversation of a message. */
type PlaceOfMessage = { topic: string; channel_id: number | null; conversation_id: number | null }

/** The place of the newest message of these kinds that the user sent. */
export async function newestMessageOf(
  tx: Tx,
  senderId: number,
  { channelIds, direct }: KindsOfMessages,
): Promise<PlaceOfMessage | undefined> {
  const [row] = await tx<PlaceOfMessage[]>`
    select topic, channel_id, conversation_id from messages
    where sender_id = ${senderId}
      and (channel_id = any(${[...channelIds]}::int[]) or (${direct} and conversation_id is not null))
    order by id desc limit 1`
  return row
}

/** The user's newest messages in a topic or conversation, ascending, locked. */
export async function lockMessagesOf(
  tx: Tx,
  senderId: number,
  { topic, channel_id, conversation_id }: PlaceOfMessage,
  limit: number,
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from messages
    where sender_id = ${senderId} and channel_id is not distinct from ${channel_id}
      and conversation_id is not distinct from ${conversation_id} and lower(topic) = lower(${topic})
    order by id desc limit ${limit} for no key update`
  return rows.map(row => row.id).sort((a, b) => a - b)
}
