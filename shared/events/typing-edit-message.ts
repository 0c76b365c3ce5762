import { topicFor } from '../resources/topic.js'
import { defineEvent } from './event.js'

export interface TypingEditPayload {
  readonly sender_id: number
  readonly message_id: number
  readonly recipient:
    | { readonly type: 'direct'; readonly user_ids: readonly number[] }
    | { readonly type: 'channel'; readonly channel_id: number; readonly topic: string }
  readonly empty_topic_display_name: string
}

function render(
  { empty_topic_display_name, recipient, ...rest }: TypingEditPayload,
  view: { empty_topic_name: boolean },
) {
  if (recipient.type === 'direct') return { ...rest, recipient }
  return { ...rest, recipient: { ...recipient, topic: topicFor(view, recipient.topic, empty_topic_display_name) } }
}

export const typingEditStart = defineEvent<TypingEditPayload>('typing_edit_message/start', {
  doc: 'Somebody edits a message.',
  dependsOn: ['empty_topic_name'],
  render,
})

export const typingEditStop = defineEvent<TypingEditPayload>('typing_edit_message/stop', {
  doc: 'Somebody no longer edits a message.',
  dependsOn: ['empty_topic_name'],
  render,
})
