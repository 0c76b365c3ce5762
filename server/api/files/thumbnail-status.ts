import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { pictureOf } from '../../actions/files/picture-of.js'
import { findFiles } from '../../lookups/find-file.js'
import { currentUser } from '../../lookups/find-user.js'
import { text } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { route } from '../route.js'

export const thumbnailStatus = route({
  operation: 'thumbnail_status',
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename*}',
  doc: 'Whether the thumbnails of an uploaded picture exist already.',
  allow: anyAccount,
  params: z.object({
    realm_id_str: text().describe('First segment of the path of the file.'),
    filename: text().describe('The rest of its path.'),
  }),
  returns: z.object({ thumbnails_ready: z.boolean() }),
  errors: [['BAD_REQUEST', 404]],
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    const user = currentUser(ctx.directory, actor.user)
    const [file] = await findFiles(ctx, ctx.sql, user, [`${params.realm_id_str}/${params.filename}`])
    const picture = file?.isReadable ? pictureOf(file) : null
    if (!picture) throw new ApiError('BAD_REQUEST', 'This file does not exist, or has no thumbnails.', {}, 404)
    return { thumbnails_ready: picture.isReady }
  },
})
