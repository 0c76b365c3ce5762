import { z } from 'zod'
import { reminder } from '../../../shared/resources/reminder.js'
import { anyAccount } from '../../policies/allow.js'
import { readReminders, reminderObject } from '../../store/personal/reminders.js'
import { route } from '../route.js'

export const getReminders = route({
  operation: 'get_reminders',
  method: 'GET',
  path: '/reminders',
  doc: 'Lists your reminders that are not sent yet, the next one first.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ reminders: z.array(reminder) }),
  errors: [],
  async handle({ ctx, actor }) {
    return { reminders: (await readReminders(ctx.sql, actor.user.id)).map(reminderObject) }
  },
})
