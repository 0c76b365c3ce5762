import { topicFor } from '../resources/topic.js'
import { defineEvent, type WireForm } from './event.js'

interface Person {
  readonly user_id: number
  readonly email: string
}

export type TypingPayload =
  | { readonly message_type: 'direct'; readonly sender: Person; readonly recipients: readonly Person[] }
  | {
      readonly message_type: 'stream'
      readonly sender: Person
      readonly stream_id: number
      readonly topic: string
      readonly empty_topic_display_name: string
    }

function render(payload: TypingPayload, view: { stream_typing_notifications: boolean; empty_topic_name: boolean }) {
  if (payload.message_type === 'direct') return payload as unknown as WireForm
  if (!view.stream_typing_notifications) return null
  const { empty_topic_display_name, ...rest } = payload
  return { ...rest, topic: topicFor(view, payload.topic, empty_topic_display_name) }
}

export const typingStart = defineEvent<TypingPayload>('typing/start', {
  doc: 'Somebody writes a message in a conversation or a topic.',
  dependsOn: ['stream_typing_notifications', 'empty_topic_name'],
  render,
})

export const typingStop = defineEvent<TypingPayload>('typing/stop', {
  doc: 'Somebody no longer writes a message.',
  dependsOn: ['stream_typing_notifications', 'empty_topic_name'],
  render,
})
