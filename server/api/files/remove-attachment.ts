import { z } from 'zod'
import { removeFile } from '../../actions/files/remove-file.js'
import { currentUser } from '../../lookups/find-user.js'
import { pathId } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const removeAttachment = route({
  operation: 'remove_attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  doc: 'Deletes a file that you uploaded. Messages keep their text; the address of the file answers 404.',
  allow: anyAccount,
  params: z.object({ attachment_id: pathId().describe('Id of the file.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    currentUser(ctx.directory, actor.user)
    await removeFile(ctx, actor, params.attachment_id)
    return {}
  },
})
