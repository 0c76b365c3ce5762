import { z } from 'zod'
import { muteUser as mute } from '../../actions/users/mute-user.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const muteUser = route({
  operation: 'mute_user',
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  doc: 'Mutes a user for you. Messages of that user are read for you, earlier and later ones. The user does not learn of it.',
  allow: anyAccount,
  params: z.object({ muted_user_id: pathId().describe('The user, deactivated or not; also a bot.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await mute(ctx, actor, params.muted_user_id)
    return {}
  },
})
