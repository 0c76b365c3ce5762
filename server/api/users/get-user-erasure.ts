import { z } from 'zod'
import { remainingOf } from '../../actions/users/erasure/erase.js'
import { messagesOfErased } from '../../job-types/erase-user.js'
import { currentUser } from '../../lookups/find-user.js'
import { pathId, word } from '../../params/schemas.js'
import { erasableUser } from '../../policies/accounts.js'
import { owners } from '../../policies/allow.js'
import { route } from '../route.js'

export const getUserErasure = route({
  operation: 'get_user_erasure',
  method: 'GET',
  path: '/users/{user_id}/erasure',
  doc: 'What an erasure of a person would remove, and how far one is. Owners only.',
  allow: owners,
  params: z.object({
    user_id: pathId().describe('The user.'),
    messages: word(...messagesOfErased)
      .default('keep')
      .describe('As in the erasure.'),
  }),
  returns: z.object({
    state: z
      .enum(['none', 'pending', 'failed'])
      .describe('Whether the server erases the person; `failed`: it has given up, and the operator has to look.'),
    found: z
      .record(z.string(), z.int())
      .describe('Numbers of what is there, by kind, without mentions by others; empty: nothing is left.'),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    const user = erasableUser(ctx.directory, currentUser(ctx.directory, actor.user), params.user_id)
    return remainingOf(ctx, { user_id: user.id, messages: params.messages })
  },
})
