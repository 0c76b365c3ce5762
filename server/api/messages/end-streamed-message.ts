import { z } from 'zod'
import { endGrowth } from '../../actions/messages/end-growth.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const endStreamedMessage = route({
  operation: 'end_streamed_message',
  method: 'POST',
  path: '/messages/{message_id}/end',
  doc: 'Ends a streamed message: its author has said all, or a reader stops it.',
  allow: anyAccount,
  isTool: true,
  params: z.object({ message_id: pathId().describe('The message.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'MESSAGE_NOT_GROWING'],
  async handle({ ctx, actor, params: { message_id } }) {
    await endGrowth(ctx, actor, message_id)
    return {}
  },
})
