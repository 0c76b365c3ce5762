import { z } from 'zod'
import { reminder } from '../../../shared/resources/reminder.js'
import { readReminders, reminderObject } from '../../store/personal/reminders.js'
import type { StatePiece } from '../state-piece.js'

export const remindersPiece: StatePiece = {
  fetchType: 'reminders',
  fields: { reminders: z.array(reminder).describe('The next one first.') },
  selects: [readReminders],
  read: async ({ actor, rows }) => ({ reminders: actor ? rows.of(readReminders).map(reminderObject) : [] }),
}
