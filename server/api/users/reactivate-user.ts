import { z } from 'zod'
import { reactivateUser as reactivate } from '../../actions/users/reactivate.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const reactivateUser = route({
  operation: 'reactivate_user',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  doc: 'Reactivates an account with its role, groups and subscriptions. For administrators, and for owners of the bot.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('The account.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params }) {
    await reactivate(ctx, params.user_id, actor)
    return {}
  },
})
