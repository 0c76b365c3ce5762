import { z } from 'zod'
import { type ScheduledMessage, scheduledMessage } from '../resources/scheduled-message.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { scheduled_messages?: ScheduledMessage[] }

const firstDue = (a: ScheduledMessage, b: ScheduledMessage): number =>
  a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.scheduled_message_id - b.scheduled_message_id

export const scheduledMessagesAdd = defineEvent('scheduled_messages/add', {
  doc: 'The receiver has scheduled messages.',
  fields: z.object({ scheduled_messages: z.array(scheduledMessage) }),
  apply: applyScheduledMessagesAdd,
})

export const scheduledMessagesUpdate = defineEvent('scheduled_messages/update', {
  doc: 'The receiver has edited a scheduled message, or it could not be sent; the event contains all its fields.',
  fields: z.object({ scheduled_message: scheduledMessage }),
  apply: applyScheduledMessagesUpdate,
})

export const scheduledMessagesRemove = defineEvent('scheduled_messages/remove', {
  doc: 'A scheduled message of the receiver was sent, or the receiver has deleted it.',
  fields: z.object({ scheduled_message_id: z.int() }),
  apply: applyScheduledMessagesRemove,
})

export function applyScheduledMessagesAdd(state: State, event: { scheduled_messages: ScheduledMessage[] }): void {
  state.scheduled_messages =
    state.scheduled_messages && [...state.scheduled_messages, ...event.scheduled_messages].sort(firstDue)
}

export function applyScheduledMessagesUpdate(state: State, event: { scheduled_message: ScheduledMessage }): void {
  const { scheduled_message: changed } = event
  state.scheduled_messages = state.scheduled_messages
    ?.map(one => (one.scheduled_message_id === changed.scheduled_message_id ? changed : one))
    .sort(firstDue)
}

export function applyScheduledMessagesRemove(state: State, event: { scheduled_message_id: number }): void {
  const { scheduled_message_id: id } = event
  state.scheduled_messages = state.scheduled_messages?.filter(one => one.scheduled_message_id !== id)
}
