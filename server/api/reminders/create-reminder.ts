import { z } from 'zod'
import { remind } from '../../actions/scheduled/reminders.js'
import { budgets } from '../../config/budgets.js'
import { pathId, storableText } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { dueTime } from '../scheduled/params.js'

export const createReminder = route({
  operation: 'create_reminder',
  method: 'POST',
  path: '/reminders',
  doc: 'The notification bot will send you a direct message about a message, at a time.',
  allow: anyAccount,
  params: z.object({
    message_id: pathId().describe('A message that you can read.'),
    scheduled_delivery_timestamp: dueTime,
    note: storableText(budgets.reminderNote.most)
      .default('')
      .describe('Plain text or Markdown that the reminder quotes.'),
  }),
  returns: z.object({ reminder_id: z.int() }),
  errors: ['BAD_REQUEST'],
  creates: true,
  async handle({ creating, actor, params: { message_id: messageId, scheduled_delivery_timestamp: due, note } }) {
    return creating(
      ctx => remind(ctx, actor, { messageId, note: note.trim(), due }),
      id => ({ reminder_id: id }),
    )
  },
})
