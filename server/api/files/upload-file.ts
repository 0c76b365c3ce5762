import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { storeUpload } from '../../actions/files/store-upload.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const uploadFile = route({
  operation: 'upload_file',
  method: 'POST',
  path: '/user_uploads',
  doc: 'Uploads a file: the only file of a multipart form, under any name. Only its uploader can read it until a message uses it.',
  allow: anyAccount,
  params: z.object({}),
  returns: z.object({
    url: z.string().describe('Its address on this server.'),
    uri: z.string().describe('The same; older clients read it.'),
    filename: z.string().describe('Its name as given.'),
  }),
  errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA'],
  file: 'stream',
  creates: true,
  async handle({ ctx, creating, actor, body }) {
    if (!body) throw badRequest('You must specify a file to upload')
    if (ctx.config.maxFileUploadMib === 0) throw badRequest('This server takes no files.')
    return creating(
      creatingCtx => ctx.workLimits.uploads.run(actor.user.id, () => storeUpload(creatingCtx, actor, body)),
      ({ path_id, name }) => ({ url: `/user_uploads/${path_id}`, uri: `/user_uploads/${path_id}`, filename: name }),
    )
  },
})
