import { type DmParticipant, type MessageFlag, messageFor, type NeutralMessage } from '../resources/message.js'
import { entriesOf } from './channel-lists.js'
import { defineEvent } from './event.js'
import { addUnread, isMuted, type UnreadPlace } from './unread-state.js'

export interface MessagePayload {
  readonly message: NeutralMessage
  /** The flags of all receivers without an entry in `perUser`. */
  readonly flags: readonly MessageFlag[]
}

interface WireMessage {
  id: number
  stream_id?: number
  subject: string
  display_recipient: string | DmParticipant[]
}

export const messageEvent = defineEvent<MessagePayload>('message', {
  doc: 'A message was sent that the queue takes. The flags beside it are those of the queue’s user.',
  dependsOn: ['apply_markdown', 'client_gravatar', 'empty_topic_name'],
  render: ({ message, flags }, view) => ({ message: messageFor(view, message), flags }),
  apply(state, event) {
    const message = event.message as WireMessage
    const flags = event.flags as string[]
    const place = placeOf(message, state.user_id as number | undefined)
    // The user is no receiver of a historical message: it sent the message to a channel without being subscribed to it.
    if (state.max_message_id !== undefined && !flags.includes('historical')) {
      state.max_message_id = Math.max(state.max_message_id as number, message.id)
    }
    if ('userIds' in place) noteConversation(state, message.id, place.userIds)
    else noteFirstMessage(state, message.id, place.streamId)
    if (!flags.includes('read')) {
      // A wildcard mention counts only in channels and topics that the user has not muted.
      const listens = !('streamId' in place) || !isMuted(state, place.streamId, place.topic)
      const isMentioned = flags.includes('mentioned') || (listens && flags.includes('wildcard_mentioned'))
      addUnread(state, message.id, place, isMentioned)
    }
  },
})

function placeOf(message: WireMessage, ownId: number | undefined): UnreadPlace {
  if (message.stream_id !== undefined) return { streamId: message.stream_id, topic: message.subject }
  const people = message.display_recipient as DmParticipant[]
  return { userIds: people.map(person => person.id).filter(id => id !== ownId) }
}

/** The first message of a channel causes no stream/update event; clients set first_message_id from the message. */
function noteFirstMessage(state: Record<string, unknown>, id: number, streamId: number): void {
  for (const channel of entriesOf(state, streamId)) channel.first_message_id ??= id
}

interface RecentConversation {
  max_message_id: number
  user_ids: number[]
}

/** Keeps `recent_private_conversations` newest first. */
function noteConversation(state: Record<string, unknown>, id: number, userIds: readonly number[]): void {
  const recent = state.recent_private_conversations as RecentConversation[] | undefined
  if (!recent) return
  const user_ids = [...userIds].sort((a, b) => a - b)
  const key = user_ids.join()
  const others = recent.filter(one => one.user_ids.join() !== key)
  const known = recent.find(one => one.user_ids.join() === key)
  const max_message_id = Math.max(id, known?.max_message_id ?? 0)
  state.recent_private_conversations = [{ max_message_id, user_ids }, ...others].sort(
    (a, b) => b.max_message_id - a.max_message_id,
  )
}
