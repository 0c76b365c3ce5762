import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { endSession } from '../../actions/accounts/end-sessions.js'
import { shortId } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const endOwnSession = route({
  operation: 'end_own_session',
  method: 'DELETE',
  path: '/users/me/sessions/{session_id}',
  doc: 'Ends one of your sessions: its page is signed out at once.',
  allow: anyHuman,
  params: z.object({ session_id: shortId().describe('As `get_own_sessions` lists it.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { session_id } }) {
    if (!(await endSession(ctx, actor.user.id, session_id))) throw badRequest('No such session.')
    return {}
  },
})
