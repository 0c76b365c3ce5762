import { z } from 'zod'
import { endOtherSessions as end } from '../../actions/accounts/end-sessions.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const endOtherSessions = route({
  operation: 'end_other_sessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  doc: 'Ends all of your sessions but the one that makes this request. Clients with your API key are not affected.',
  allow: anyHuman,
  params: z.object({}),
  returns: z.object({}),
  errors: [],
  isAdministrative: true,
  async handle({ ctx, actor }) {
    await end(ctx, actor.user.id, actor.sessionId)
    return {}
  },
})
