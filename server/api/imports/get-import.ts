import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { importDetails } from '../../../shared/resources/import-request.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { importDetailsObject } from '../../presenters/imports.js'
import { detailedRequest } from '../../store/imports/import-requests.js'
import { route } from '../route.js'

export const getImport = route({
  operation: 'get_import',
  method: 'GET',
  path: '/imports/{import_id}',
  doc: 'What an archive contains, what is wrong with it, what can be chosen, and what was imported. Administrators only.',
  allow: administrators,
  params: z.object({ import_id: pathId().describe('The archive.') }),
  returns: z.object({ import: importDetails }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, params: { import_id: id } }) {
    const row = await detailedRequest(ctx.sql, id)
    if (!row) throw badRequest('Invalid import ID')
    return { import: importDetailsObject(row) }
  },
})
