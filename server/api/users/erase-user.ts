import { z } from 'zod'
import { beginErasure } from '../../actions/users/erasure/begin-erasure.js'
import { messagesOfErased } from '../../job-types/erase-user.js'
import { pathId, word } from '../../params/schemas.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'

export const eraseUser = route({
  operation: 'erase_user',
  method: 'POST',
  path: '/users/{user_id}/erase',
  doc: 'Erases a person for good: account, files, reactions, settings, and by choice messages. Name, address and access go at once, the rest in the background. Owners only.',
  allow: owners,
  params: z.object({
    user_id: pathId().describe('The user. Not the caller, and not the last owner.'),
    messages: word(...messagesOfErased)
      .default('keep')
      .describe('Whether its messages stay, under the name "Deleted user", or are deleted.'),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await beginErasure(ctx, actor, params)
    return {}
  },
})
