import { z } from 'zod'
import { realmExport } from '../../../shared/resources/realm-export.js'
import { administrators } from '../../policies/allow.js'
import { exportObject, progressOf } from '../../presenters/exports.js'
import { readExports } from '../../store/exports/exports.js'
import { route } from '../route.js'
import { exportProgress } from './export-progress.js'

export const getRealmExports = route({
  operation: 'get_realm_exports',
  method: 'GET',
  path: '/export/realm',
  doc: 'Lists the exports of the organization, also failed and deleted ones. Administrators only.',
  allow: administrators,
  params: z.object({}),
  returns: z.object({
    exports: z.array(realmExport).describe('The oldest first.'),
    progress: exportProgress,
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx }) {
    const rows = await readExports(ctx.sql)
    return {
      exports: rows.map(row => exportObject(row, ctx.publicUrl)),
      progress: progressOf(rows),
    }
  },
})
