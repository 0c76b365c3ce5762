import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { userStatus as schema } from '../../../shared/resources/user-status.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { userStatus } from '../../presenters/user-status.js'
import { route } from '../route.js'

export const getUserStatus = route({
  operation: 'get_user_status',
  method: 'GET',
  path: '/users/{user_id}/status',
  doc: 'Returns the status of a user, deactivated or not.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('The user, not a bot.') }),
  returns: z.object({ status: schema }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    const { directory, config } = ctx
    await directory.fresh()
    const viewer = currentUser(directory, actor.user)
    const user = directory.users.get(params.user_id)
    if (!user || !(await mayAccessUser(ctx.sql, directory, viewer, user))) throw badRequest('No such user')
    if (user.is_bot) throw badRequest('Bots have no status.')
    return { status: userStatus(user, config.wireBrand) }
  },
})
