import { z } from 'zod'
import { user } from '../../../shared/resources/user.js'
import { currentUser } from '../../lookups/find-user.js'
import { anyAccount } from '../../policies/allow.js'
import { userObject } from '../../presenters/user-object.js'
import { newestReceived } from '../../store/channels/message-state.js'
import { route } from '../route.js'
import { shownAs } from './options.js'

export const getOwnUser = route({
  operation: 'get_own_user',
  method: 'GET',
  path: '/users/me',
  doc: "Returns the caller's account.",
  allow: anyAccount,
  isTool: true,
  params: z.object({}),
  returns: user.extend({
    max_message_id: z.int().describe('Deprecated: the id of the newest message that the caller received.'),
  }),
  errors: [],
  async handle({ ctx, actor }) {
    const [[row]] = await Promise.all([newestReceived(ctx.sql, actor.user.id), ctx.directory.fresh()])
    const self = currentUser(ctx.directory, actor.user)
    const options = shownAs(ctx, { client_gravatar: false, include_custom_profile_fields: true })
    return { ...userObject(self, self, options), max_message_id: row?.newest ?? -1 }
  },
})
