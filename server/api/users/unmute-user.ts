import { z } from 'zod'
import { unmuteUser as unmute } from '../../actions/users/mute-user.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const unmuteUser = route({
  operation: 'unmute_user',
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  doc: 'Unmutes a user. Messages that are read stay read.',
  allow: anyAccount,
  params: z.object({ muted_user_id: pathId().describe('A user that you muted.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await unmute(ctx, actor, params.muted_user_id)
    return {}
  },
})
