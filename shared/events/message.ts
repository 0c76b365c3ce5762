import { z } from 'zod'
import { eventMessage, type MessageFlag, messageFlag, messageFor, type NeutralMessage } from '../resources/message.js'
import { placeOf } from '../resources/place.js'
import { entriesOf } from './channel-records.js'
import { type ClientState, noteConversation, ownId } from './client-state.js'
import { defineEvent } from './event.js'
import { addUnread, insertId, isMention } from './unread.js'

const fields = z.object({
  message: eventMessage,
  flags: z.array(messageFlag).describe("The receiver's."),
  local_message_id: z
    .string()
    .optional()
    .describe('The `local_id` of the request that sent the message; only in the queue that this request named.'),
})

export interface MessagePayload {
  readonly message: NeutralMessage
  /** The flags of all receivers without an entry in `perUser`. */
  readonly flags: readonly MessageFlag[]
}

export const messageEvent = defineEvent('message', {
  doc: 'The user received a message that matches the narrow of the queue. The flags are those of the queue’s user.',
  fields,
  dependsOn: ['apply_markdown', 'client_gravatar', 'empty_topic_name'],
  render: ({ message, flags }: MessagePayload, view) => ({ message: messageFor(view, message), flags }),
  apply: applyMessage,
})

export function applyMessage(state: ClientState, { message, flags }: z.output<typeof fields>): void {
  const place = placeOf(message, ownId(state))
  // The user is no receiver of a historical message: it sent the message to a channel without being subscribed to it.
  if (state.max_message_id !== undefined && !flags.includes('historical')) {
    state.max_message_id = Math.max(state.max_message_id, message.id)
  }
  if ('direct' in place) noteConversation(state, place.direct, message.id)
  else noteFirstMessage(state, message.id, place.channelId)
  if (flags.includes('starred') && state.starred_messages) insertId(state.starred_messages, message.id)
  if (!flags.includes('read')) addUnread(state, message.id, place, isMention(state, flags, place))
}

/** The first message of a channel causes no stream/update event; clients set first_message_id from the message. */
function noteFirstMessage(state: ClientState, id: number, channelId: number): void {
  for (const channel of entriesOf(state, channelId)) channel.first_message_id ??= id
}
