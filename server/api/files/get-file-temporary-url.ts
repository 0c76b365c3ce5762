import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { temporaryToken } from '../../auth/file-tokens.js'
import { maySpectatorRead } from '../../limits/spectator-reads.js'
import { findFiles } from '../../lookups/find-file.js'
import { currentUser } from '../../lookups/find-user.js'
import { text } from '../../params/schemas.js'
import { requireSpectatorAccess } from '../../policies/spectators.js'
import { route } from '../route.js'

export const getFileTemporaryUrl = route({
  operation: 'get_file_temporary_url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename*}',
  doc: 'An address from which any client can read the file for 60 seconds, without credentials.',
  allow: 'optional',
  params: z.object({
    realm_id_str: text().describe('First segment of the path of the file.'),
    filename: text().describe('The rest of its path.'),
  }),
  returns: z.object({ url: z.string().describe('Relative to the server.') }),
  errors: [
    ['BAD_REQUEST', 403],
    ['BAD_REQUEST', 404],
  ],
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    requireSpectatorAccess(ctx.directory, actor)
    const pathId = `${params.realm_id_str}/${params.filename}`
    const user = actor && currentUser(ctx.directory, actor.user)
    const [file] = await findFiles(ctx, ctx.sql, user, [pathId])
    if (!actor && !(file?.isReadable && (await maySpectatorRead(ctx, pathId))))
      throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication is required.')
    if (!file) throw new ApiError('BAD_REQUEST', 'This file does not exist or has been deleted.', {}, 404)
    if (!file.isReadable) throw new ApiError('BAD_REQUEST', 'You are not authorized to view this file.', {}, 403)
    return {
      url: `/user_uploads/temporary/${temporaryToken(ctx, pathId)}/${encodeURIComponent(pathId.split('/').at(-1) ?? '')}`,
    }
  },
})
