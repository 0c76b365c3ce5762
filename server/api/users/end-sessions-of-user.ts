import { z } from 'zod'
import { endSessionsOfPerson } from '../../actions/users/change-access.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const endSessionsOfUser = route({
  operation: 'end_sessions_of_user',
  method: 'DELETE',
  path: '/users/{user_id}/sessions',
  doc: 'Signs a person out of all pages. The API key, and so other clients, are not affected. Administrators only; of an owner only owners.',
  allow: administrators,
  params: z.object({ user_id: pathId().describe('An active person.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id } }) {
    await endSessionsOfPerson(ctx, actor, user_id)
    return {}
  },
})
