import { z } from 'zod'
import { requestExport } from '../../actions/exports/request-export.js'
import { integer, word } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const exportRealm = route({
  operation: 'export_realm',
  method: 'POST',
  path: '/export/realm',
  doc: 'Requests an export of the organization, which the server writes in the background. Administrators only; five in seven days.',
  allow: administrators,
  params: z.object({
    export_type: word('public', 'full_with_consent', 'full_without_consent')
      .default('public')
      .describe('Messages of public channels; also what people who agreed can see; or all messages.'),
    since_export_id: integer({ min: 0 })
      .optional()
      .describe('An earlier export of the same type: this one has only messages and files since then, and all tables.'),
  }),
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  creates: true,
  async handle({ actor, creating, params: { export_type: kind, since_export_id: sinceId } }) {
    return creating(
      within => requestExport(within, actor, { kind, sinceId }),
      id => ({ id }),
    )
  },
})
