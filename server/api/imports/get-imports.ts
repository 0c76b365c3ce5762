import { z } from 'zod'
import { importRequest } from '../../../shared/resources/import-request.js'
import { administrators } from '../../policies/allow.js'
import { importObject } from '../../presenters/imports.js'
import { readImportRequests } from '../../store/imports/import-requests.js'
import { route } from '../route.js'

export const getImports = route({
  operation: 'get_imports',
  method: 'GET',
  path: '/imports',
  doc: 'Lists the archives of other chat servers that administrators have uploaded. Administrators only.',
  allow: administrators,
  params: z.object({}),
  returns: z.object({ imports: z.array(importRequest).describe('The oldest first.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx }) {
    return { imports: (await readImportRequests(ctx.sql)).map(importObject) }
  },
})
