import { z } from 'zod'
import { type Reminder, reminder } from '../resources/reminder.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { reminders?: Reminder[] }

const firstDue = (a: Reminder, b: Reminder): number =>
  a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id

export const remindersAdd = defineEvent('reminders/add', {
  doc: 'The receiver has asked to be reminded of messages.',
  fields: z.object({ reminders: z.array(reminder) }),
  apply: applyRemindersAdd,
})

export const remindersRemove = defineEvent('reminders/remove', {
  doc: 'A reminder of the receiver was sent, or the receiver has deleted it.',
  fields: z.object({ reminder_id: z.int() }),
  apply: applyRemindersRemove,
})

export function applyRemindersAdd(state: State, event: { reminders: Reminder[] }): void {
  state.reminders = state.reminders && [...state.reminders, ...event.reminders].sort(firstDue)
}

export function applyRemindersRemove(state: State, event: { reminder_id: number }): void {
  state.reminders = state.reminders?.filter(one => one.reminder_id !== event.reminder_id)
}
