import { z } from 'zod'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteQueue = route({
  operation: 'delete_queue',
  method: 'DELETE',
  path: '/events',
  doc: 'Deletes an event queue at once, before its idle timeout. Its consumer gets BAD_EVENT_QUEUE_ID.',
  allow: anyAccount,
  params: z.object({ queue_id: text().describe('The id of the queue from `register`.') }),
  returns: z.object({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
  async handle({ ctx, actor, params: { queue_id } }) {
    await ctx.realtime.drop(queue_id, actor.user.id)
    return {}
  },
})
