import { z } from 'zod'
import { deleteImport as remove } from '../../actions/imports/start-import.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const deleteImport = route({
  operation: 'delete_import',
  method: 'DELETE',
  path: '/imports/{import_id}',
  doc: 'Removes an archive and its plan; what was imported from it stays. Administrators only.',
  allow: administrators,
  params: z.object({ import_id: pathId().describe('The archive. It is neither being checked nor imported.') }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, params: { import_id: id } }) {
    await remove(ctx, id)
    return {}
  },
})
