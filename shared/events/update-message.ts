import { z } from 'zod'
import { messageFlag, topicLink } from '../resources/message.js'
import { topicFor } from '../resources/topic.js'
import type { ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'
import { isMuted, moveUnread, setMentioned } from './unread.js'

const always = z.object({
  user_id: z.int().nullable().describe('Null: only the rendering of the message changed.'),
  rendering_only: z.boolean(),
  edit_timestamp: z.int().describe('UNIX seconds.'),
  message_id: z.int().describe('The edited message.'),
  message_ids: z.array(z.int()).describe('Ascending: the edited message and all messages moved with it.'),
  flags: z.array(messageFlag).describe("The receiver's."),
})

const channel = z.object({
  stream_id: z.int().describe('Only of messages in a channel: the channel before the edit.'),
  stream_name: z.string(),
})

const content = z.object({
  orig_content: z.string().describe('This and the other texts: only if the text or its rendering changed.'),
  orig_rendered_content: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  is_me_message: z.boolean(),
})

const move = z.object({
  propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).describe('Only if messages moved.'),
  orig_subject: z.string().describe('Only if messages moved: the topic before.'),
  new_stream_id: z.int().optional().describe('Only if the channel changed.'),
  subject: z.string().optional().describe('Only if the topic changed.'),
  topic_links: z.array(topicLink).optional().describe('Only if the topic changed.'),
})

const fields = always.extend({
  ...channel.partial().shape,
  ...content.partial().shape,
  ...move.partial().shape,
})

export type UpdateMessagePayload = FieldsOf<typeof always> & {
  readonly channel?: FieldsOf<typeof channel>
  readonly content?: FieldsOf<typeof content>
  readonly move?: FieldsOf<typeof move>
  readonly empty_topic_display_name: string
  /** The message is streamed, and grows: readers of its pieces have this text already. */
  readonly isGrowing?: true
}

export const updateMessageEvent = defineEvent('update_message', {
  doc: 'A message was edited, or messages were moved to another topic or channel.',
  fields,
  dependsOn: ['empty_topic_name', 'streamed_messages'],
  render({ channel, content, move, empty_topic_display_name: name, isGrowing, ...rest }: UpdateMessagePayload, view) {
    if (isGrowing && view.streamed_messages) return null
    return {
      ...rest,
      ...channel,
      ...content,
      ...move,
      ...(move && { orig_subject: topicFor(view, move.orig_subject, name) }),
      ...(move?.subject !== undefined && { subject: topicFor(view, move.subject, name) }),
    }
  },
  apply: applyUpdateMessage,
})

export function applyUpdateMessage(state: ClientState, event: z.output<typeof fields>): void {
  const channelId = event.new_stream_id ?? event.stream_id
  const topic = event.subject ?? event.orig_subject
  if (channelId !== undefined && topic !== undefined) {
    moveUnread(state, new Set(event.message_ids), { channelId, topic })
  }
  if (event.content === undefined) return
  const listens = channelId === undefined || !isMuted(state, channelId, topic ?? '')
  const isMentioned = event.flags.includes('mentioned') || (listens && event.flags.includes('wildcard_mentioned'))
  setMentioned(state, event.message_id, isMentioned)
}
