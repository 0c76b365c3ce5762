import type { Tx } from './db.js'

/** Messages in these channels, and direct ones or not. */
export interface KindsOfMessages {
  readonly channelIds: readonly number[]
  readonly direct: boolean
}

/** Where a message stands. */
export type PlaceOfMessage = { topic: string; channel_id: number | null; conversation_id: number | null }

/** Where the newest message of these kinds stands that the user sent. */
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

/** The user's newest messages in that topic or conversation, ascending, locked. */
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
