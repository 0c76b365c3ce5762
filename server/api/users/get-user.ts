import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { user } from '../../../shared/resources/user.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { userObject } from '../../presenters/user-object.js'
import { route } from '../route.js'
import { shownAs, userOptions } from './options.js'

export const getUser = route({
  operation: 'get_user',
  method: 'GET',
  path: '/users/{user_id}',
  doc: 'Returns one user by its id, deactivated or not.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('The user.'), ...userOptions }),
  returns: z.object({ user }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    const viewer = currentUser(ctx.directory, actor.user)
    const found = ctx.directory.users.get(params.user_id)
    if (!found || !(await mayAccessUser(ctx.sql, ctx.directory, viewer, found))) throw badRequest('No such user')
    return { user: userObject(found, viewer, shownAs(ctx, params)) }
  },
})
