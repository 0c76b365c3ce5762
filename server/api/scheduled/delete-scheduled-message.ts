import { z } from 'zod'
import { deleteScheduled } from '../../actions/scheduled/schedule.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { scheduledId } from './params.js'

export const deleteScheduledMessage = route({
  operation: 'delete_scheduled_message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  doc: 'Deletes a message that you have scheduled, which is then not sent.',
  allow: anyAccount,
  params: z.object({ scheduled_message_id: scheduledId }),
  returns: z.object({}),
  errors: [['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params: { scheduled_message_id: id } }) {
    await deleteScheduled(ctx, actor, id)
    return {}
  },
})
