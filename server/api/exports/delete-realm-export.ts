import { z } from 'zod'
import { deleteExport } from '../../actions/exports/end-export.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteRealmExport = route({
  operation: 'delete_realm_export',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  doc: 'Deletes the archive of an export. Administrators only.',
  allow: administrators,
  params: z.object({ export_id: pathId().describe('The export.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { export_id: id } }) {
    await deleteExport(ctx, actor, id)
    return {}
  },
})
