import type { Chat } from './chat.js'

export type MovedPart = 'change_one' | 'change_later' | 'change_all'

export interface Move {
  /** One of the moved messages: the only one, or the first, as `part` says. */
  readonly messageId: number
  readonly part: MovedPart
  /** Absent: stays as it is. */
  readonly topic?: string
  readonly channelId?: number
  readonly tellsOldPlace: boolean
  readonly tellsNewPlace: boolean
}

/** Moves messages to another topic or channel. @throws {RequestError} */
export async function moveMessages(chat: Chat, move: Move): Promise<void> {
  await chat.ask('PATCH', `/messages/${move.messageId}`, {
    ...(move.topic !== undefined && { topic: move.topic }),
    ...(move.channelId !== undefined && { stream_id: move.channelId }),
    propagate_mode: move.part,
    send_notification_to_old_thread: move.tellsOldPlace,
    send_notification_to_new_thread: move.tellsNewPlace,
  })
}

/** The newest message of a topic; undefined if it has none. @throws {RequestError} */
export async function newestMessageOf(chat: Chat, channelId: number, topic: string): Promise<number | undefined> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const answer = await chat.ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
  return (answer.messages as { id: number }[])[0]?.id
}

/** Gives all messages of a topic another one; a topic without messages needs no request. @throws {RequestError} */
export async function renameTopic(
  chat: Chat,
  { channelId, topic }: { channelId: number; topic: string },
  name: string,
  tellsNewPlace: boolean,
): Promise<void> {
  const messageId = await newestMessageOf(chat, channelId, topic)
  if (messageId === undefined) return
  await moveMessages(chat, { messageId, part: 'change_all', topic: name, tellsOldPlace: false, tellsNewPlace })
}
