import { z } from 'zod'
import { deletePersonExport } from '../../actions/exports/person-exports.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteUserExport = route({
  operation: 'delete_user_export',
  method: 'DELETE',
  path: '/users/{user_id}/exports/{export_id}',
  doc: 'Deletes the archive of an export of one person: for who requested it, and for administrators.',
  allow: anyAccount,
  params: z.object({
    user_id: pathId().describe('The person.'),
    export_id: pathId().describe('The export.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  async handle({ ctx, actor, params: { user_id: userId, export_id: exportId } }) {
    await deletePersonExport(ctx, actor, { userId, exportId })
    return {}
  },
})
