import { z } from 'zod'
import { undoImport as undo } from '../../actions/imports/start-import.js'
import { pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

export const undoImport = route({
  operation: 'undo_import',
  method: 'POST',
  path: '/imports/{import_id}/undo',
  doc: 'Takes away what an archive has brought, in the background: all its messages, and the channels, accounts and emoji that were not used since. Administrators only.',
  allow: administrators,
  params: z.object({
    import_id: pathId().describe('The archive. Its import has finished, or failed after it had begun.'),
  }),
  returns: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { import_id: id } }) {
    await undo(ctx, actor, id)
    return {}
  },
})
