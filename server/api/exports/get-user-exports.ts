import { z } from 'zod'
import { userExport } from '../../../shared/resources/realm-export.js'
import { currentUser } from '../../lookups/find-user.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { exportablePerson } from '../../policies/exports.js'
import { progressOf, userExportObject } from '../../presenters/exports.js'
import { readPersonExports } from '../../store/exports/exports.js'
import { route } from '../route.js'
import { exportProgress } from './export-progress.js'

export const getUserExports = route({
  operation: 'get_user_exports',
  method: 'GET',
  path: '/users/{user_id}/exports',
  doc: 'Lists the exports of one person, also failed and deleted ones. Each person for itself, administrators for others, of an owner only owners.',
  allow: anyAccount,
  params: z.object({ user_id: pathId().describe('The person.') }),
  returns: z.object({
    exports: z
      .array(userExport)
      .describe('The oldest first. Only who requested an export gets the address of its archive.'),
    progress: exportProgress,
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  async handle({ ctx, actor, params: { user_id: id } }) {
    await ctx.directory.fresh()
    const caller = currentUser(ctx.directory, actor.user)
    const rows = await readPersonExports(ctx.sql, exportablePerson(ctx.directory, caller, id).id)
    return {
      exports: rows.map(row => userExportObject(row, ctx.publicUrl, caller.id)),
      progress: progressOf(rows),
    }
  },
})
