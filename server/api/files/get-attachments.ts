import { z } from 'zod'
import { attachment } from '../../../shared/resources/attachment.js'
import { currentUser } from '../../lookups/find-user.js'
import { anyAccount } from '../../policies/allow.js'
import { readAttachments, readSpace } from '../../store/files/attachments.js'
import { route } from '../route.js'

export const getAttachments = route({
  operation: 'get_attachments',
  method: 'GET',
  path: '/attachments',
  doc: 'Lists the files that you uploaded, oldest first.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({
    attachments: z.array(attachment),
    upload_space_used: z.int().describe('Bytes of all files of the organization.'),
  }),
  errors: [],
  async handle({ ctx, actor }) {
    await ctx.directory.fresh()
    const { id } = currentUser(ctx.directory, actor.user)
    const [attachments, upload_space_used] = await Promise.all([readAttachments(ctx.sql, id), readSpace(ctx.sql)])
    return { attachments, upload_space_used }
  },
})
