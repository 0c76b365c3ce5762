import { z } from 'zod'
import { topicFor } from '../resources/topic.js'
import { defineEvent, type FieldsOf } from './event.js'

const person = z.object({ user_id: z.int(), email: z.string() })

const fields = z.object({
  message_type: z.enum(['direct', 'stream']),
  sender: person,
  recipients: z.array(person).optional().describe('Only of a direct conversation.'),
  stream_id: z.int().optional().describe('Only of a channel.'),
  topic: z.string().optional().describe('Only of a channel.'),
})

type Person = FieldsOf<typeof person>

type TypingPayload =
  | { readonly message_type: 'direct'; readonly sender: Person; readonly recipients: readonly Person[] }
  | {
      readonly message_type: 'stream'
      readonly sender: Person
      readonly stream_id: number
      readonly topic: string
      readonly empty_topic_display_name: string
    }

function render(payload: TypingPayload, view: { stream_typing_notifications: boolean; empty_topic_name: boolean }) {
  if (payload.message_type === 'direct') return payload
  if (!view.stream_typing_notifications) return null
  const { empty_topic_display_name, ...rest } = payload
  return { ...rest, topic: topicFor(view, payload.topic, empty_topic_display_name) }
}

export const typingStart = defineEvent('typing/start', {
  doc: 'A user started to type a message in a conversation or a topic.',
  fields,
  dependsOn: ['stream_typing_notifications', 'empty_topic_name'],
  render,
})

export const typingStop = defineEvent('typing/stop', {
  doc: 'A user stopped typing a message.',
  fields,
  dependsOn: ['stream_typing_notifications', 'empty_topic_name'],
  render,
})
