import type { MessageFlag, TopicLink } from '../resources/message.js'
import { topicFor } from '../resources/topic.js'
import { defineEvent } from './event.js'
import { isMuted, moveUnread, setMentioned } from './unread-state.js'

export interface UpdateMessagePayload {
  /** Null: no user edited the message, only its rendering changed. */
  readonly user_id: number | null
  readonly rendering_only: boolean
  readonly edit_timestamp: number
  /** The edited message. */
  readonly message_id: number
  /** Ascending: the edited message and all messages moved with it. */
  readonly message_ids: readonly number[]
  /** The flags of all receivers without an entry in `perUser`. */
  readonly flags: readonly MessageFlag[]
  /** Only for channel messages: the channel before the edit. */
  readonly channel?: { readonly stream_id: number; readonly stream_name: string }
  readonly content?: {
    readonly orig_content: string
    readonly orig_rendered_content: string
    readonly content: string
    readonly rendered_content: string
    readonly is_me_message: boolean
  }
  readonly move?: {
    readonly propagate_mode: 'change_one' | 'change_later' | 'change_all'
    readonly orig_subject: string
    readonly new_stream_id?: number
    /** Only if the topic changed. */
    readonly subject?: string
    readonly topic_links?: readonly TopicLink[]
  }
  readonly empty_topic_display_name: string
}

export const updateMessageEvent = defineEvent<UpdateMessagePayload>('update_message', {
  doc: 'A message was edited, or messages were moved to another topic or channel.',
  dependsOn: ['empty_topic_name'],
  render({ channel, content, move, empty_topic_display_name: name, ...rest }, view) {
    return {
      ...rest,
      ...channel,
      ...content,
      ...move,
      ...(move && { orig_subject: topicFor(view, move.orig_subject, name) }),
      ...(move?.subject !== undefined && { subject: topicFor(view, move.subject, name) }),
    }
  },
  apply(state, event) {
    const streamId = (event.new_stream_id ?? event.stream_id) as number | undefined
    const topic = (event.subject ?? event.orig_subject) as string | undefined
    if (streamId !== undefined && topic !== undefined) {
      moveUnread(state, new Set(event.message_ids as number[]), { streamId, topic })
    }
    if (event.content === undefined) return
    const flags = event.flags as string[]
    const listens = streamId === undefined || !isMuted(state, streamId, topic ?? '')
    const isMentioned = flags.includes('mentioned') || (listens && flags.includes('wildcard_mentioned'))
    setMentioned(state, event.message_id as number, isMentioned)
  },
})
