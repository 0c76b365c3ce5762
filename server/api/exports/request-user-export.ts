import { z } from 'zod'
import { requestPersonExport } from '../../actions/exports/person-exports.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const requestUserExport = route({
  operation: 'request_user_export',
  method: 'POST',
  path: '/users/{user_id}/exports',
  doc: 'Requests an export of what belongs to one person, which the server writes in the background. Each person for itself, administrators for others, of an owner only owners; two in seven days. While an export that the caller has requested is pending, it is the answer.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('A person, also a deactivated one.') }),
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  async handle({ ctx, actor, params: { user_id: userId } }) {
    return { id: await requestPersonExport(ctx, actor, userId) }
  },
})
