import { z } from 'zod'
import { deleteMessage } from '../../actions/messages/delete.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteMessageRoute = route({
  operation: 'delete_message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  doc: 'Deletes a message for all users.',
  allow: anyAccount,
  params: z.object({ message_id: pathId().describe('The message.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: { message_id } }) {
    await deleteMessage(ctx, actor, message_id)
    return {}
  },
})
