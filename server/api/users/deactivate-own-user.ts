import { z } from 'zod'
import { deactivateOwnUser as deactivate } from '../../actions/users/deactivate.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deactivateOwnUser = route({
  operation: 'deactivate_own_user',
  method: 'DELETE',
  path: '/users/me',
  doc: 'Deactivates your account and your bots; your messages stay. The last owner cannot do it.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({}),
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  async handle({ ctx, actor }) {
    await deactivate(ctx, actor)
    return {}
  },
})
