import { z } from 'zod'
import { scheduledMessage } from '../../../shared/resources/scheduled-message.js'
import { anyAccount } from '../../policies/allow.js'
import { readScheduled, scheduledObject } from '../../store/personal/scheduled-messages.js'
import { route } from '../route.js'

export const getScheduledMessages = route({
  operation: 'get_scheduled_messages',
  method: 'GET',
  path: '/scheduled_messages',
  doc: 'Lists the messages that you have scheduled and that are not sent yet, the next one first; also those that could not be sent.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({ scheduled_messages: z.array(scheduledMessage) }),
  errors: [],
  async handle({ ctx, actor }) {
    return { scheduled_messages: (await readScheduled(ctx.sql, actor.user.id)).map(scheduledObject) }
  },
})
