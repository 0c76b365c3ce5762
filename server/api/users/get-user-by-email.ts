import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { user } from '../../../shared/resources/user.js'
import { currentUser, findUserByEmail } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { userObject } from '../../presenters/user-object.js'
import { route } from '../route.js'
import { shownAs, userOptions } from './options.js'

export const getUserByEmail = route({
  operation: 'get_user_by_email',
  method: 'GET',
  path: '/users/{email}',
  doc: 'Returns one user by its real address, if the caller may see it, or by its dummy address.',
  allow: anyAccount,
  params: z.object({ email: text().describe('Real address, or `user<id>@<realm_host>`.'), ...userOptions }),
  returns: z.object({ user }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    const { directory, realmHost } = ctx
    await directory.fresh()
    const viewer = currentUser(directory, actor.user)
    const found = findUserByEmail(directory, viewer, params.email, realmHost)
    if (!found || !(await mayAccessUser(ctx.sql, directory, viewer, found))) throw badRequest('No such user')
    return { user: userObject(found, viewer, shownAs(ctx, params)) }
  },
})
