import { z } from 'zod'
import { updateUser as update } from '../../actions/users/update-user.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { updateParams } from './update-params.js'

export const updateUser = route({
  operation: 'update_user',
  method: 'PATCH',
  path: '/users/{user_id}',
  doc: 'Changes a user, deactivated or not. For administrators, and for owners of bots their own bots.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('The user.'), ...updateParams }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id, ...change } }) {
    await update(ctx, actor, { id: user_id }, change)
    return {}
  },
})
