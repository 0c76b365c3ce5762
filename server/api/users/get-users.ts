import { z } from 'zod'
import { user } from '../../../shared/resources/user.js'
import { currentUser } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { idList, json } from '../../params/schemas.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { userList } from '../../presenters/user-list.js'
import { JsonFields, route } from '../route.js'
import { shownAs, userOptions } from './options.js'

export const getUsers = route({
  operation: 'get_users',
  method: 'GET',
  path: '/users',
  doc: 'Returns all users that the caller may see, including deactivated users and bots.',
  allow: 'optional',
  isTool: true,
  params: z.object({
    ...userOptions,
    user_ids: json(idList())
      .optional()
      .describe('Only these users; the server ignores ids of users that the caller may not see.'),
  }),
  returns: z.object({ members: z.array(user) }),
  errors: ['UNAUTHORIZED'],
  async handle({ ctx, actor, params }) {
    const { directory } = ctx
    await directory.fresh()
    requireSpectatorAccess(directory, actor)
    const viewer = actor && currentUser(directory, actor.user)
    const accessible = await accessibleUsers(ctx.sql, directory, viewer)
    const known = params.user_ids
      ? new Set(params.user_ids.filter(id => !accessible || accessible.has(id)))
      : accessible
    const options = shownAs(ctx, actor ? params : { ...params, client_gravatar: false })
    const members = userList(directory, viewer, { which: 'all', known, placeholders: false }, options)
    return new JsonFields('"members":', ...members)
  },
})
