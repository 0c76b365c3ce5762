import { z } from 'zod'
import { requestImport as request } from '../../actions/imports/request-import.js'
import { text } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'
import { isWithoutNull } from './params.js'

export const requestImport = route({
  operation: 'request_import',
  method: 'POST',
  path: '/imports',
  doc: 'Takes a file that you have uploaded as the archive of another chat server, and checks it in the background. Administrators only; five archives are kept at most, for a week.',
  allow: administrators,
  params: z.object({
    path_id: text()
      .refine(isWithoutNull, 'Must not contain null bytes.')
      .describe('What follows `/user_uploads/` in the address of the file. No message uses it.'),
  }),
  returns: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { path_id: pathId } }) {
    return { id: await request(ctx, actor, pathId) }
  },
})
