import type { Route } from '../route.js'
import { createReminder } from './create-reminder.js'
import { deleteReminder } from './delete-reminder.js'
import { getReminders } from './get-reminders.js'

export const remindersRoutes: readonly Route[] = [getReminders, createReminder, deleteReminder]
