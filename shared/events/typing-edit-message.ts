import { z } from 'zod'
import { topicFor } from '../resources/topic.js'
import { defineEvent, type FieldsOf } from './event.js'

const fields = z.object({
  sender_id: z.int(),
  message_id: z.int(),
  recipient: z.union([
    z.object({ type: z.literal('direct'), user_ids: z.array(z.int()) }),
    z.object({ type: z.literal('channel'), channel_id: z.int(), topic: z.string() }),
  ]),
})

type TypingEditPayload = FieldsOf<typeof fields> & { readonly empty_topic_display_name: string }

function render(
  { empty_topic_display_name, recipient, ...rest }: TypingEditPayload,
  view: { empty_topic_name: boolean },
) {
  if (recipient.type === 'direct') return { ...rest, recipient }
  return { ...rest, recipient: { ...recipient, topic: topicFor(view, recipient.topic, empty_topic_display_name) } }
}

export const typingEditStart = defineEvent('typing_edit_message/start', {
  doc: 'A user started to edit a message.',
  fields,
  dependsOn: ['empty_topic_name'],
  render,
})

export const typingEditStop = defineEvent('typing_edit_message/stop', {
  doc: 'A user stopped editing a message.',
  fields,
  dependsOn: ['empty_topic_name'],
  render,
})
