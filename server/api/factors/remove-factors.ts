import { z } from 'zod'
import { removeFactors as remove } from '../../actions/factors/remove-factors.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeFactors = route({
  operation: 'remove_factors',
  method: 'DELETE',
  path: '/users/{user_id}/factors',
  doc: 'Removes all second factors of a person who has lost them, and ends the sessions of the account. For administrators; only owners may do this to owners.',
  allow: administrators,
  params: z.object({ user_id: pathId().describe('The person.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id } }) {
    await remove(ctx, actor, user_id)
    return {}
  },
})
