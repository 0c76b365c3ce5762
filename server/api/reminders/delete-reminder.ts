import { z } from 'zod'
import { deleteReminder as remove } from '../../actions/scheduled/reminders.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteReminder = route({
  operation: 'delete_reminder',
  method: 'DELETE',
  path: '/reminders/{reminder_id}',
  doc: 'Deletes one of your reminders, which is then not sent.',
  allow: anyAccount,
  params: z.object({ reminder_id: pathId().describe('The reminder.') }),
  returns: z.object({}),
  errors: [['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { reminder_id: id } }) {
    await remove(ctx, actor, id)
    return {}
  },
})
