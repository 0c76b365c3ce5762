import { z } from 'zod'
import { updateUser } from '../../actions/users/update-user.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'
import { updateParams } from './update-params.js'

export const updateUserByEmail = route({
  operation: 'update_user_by_email',
  method: 'PATCH',
  path: '/users/{email}',
  doc: 'Changes a user that an address names. For administrators, and for owners of bots their own bots.',
  allow: anyAccount,
  params: z.object({
    email: text().describe('Real address, if the caller may see it, or `user<id>@<realm_host>`.'),
    ...updateParams,
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { email, ...change } }) {
    await updateUser(ctx, actor, { email }, change)
    return {}
  },
})
