import { z } from 'zod'
import { changeUploadQuota } from '../../actions/users/change-upload-quota.js'
import { integer, pathId } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { route } from '../route.js'

const mostMib = 1_000_000_000

export const updateUserUploadQuota = route({
  operation: 'update_user_upload_quota',
  method: 'PATCH',
  path: '/users/{user_id}/upload_space',
  doc: 'Sets how much the files of an account may take. Administrators only; of an owner only owners.',
  allow: administrators,
  params: z.object({
    user_id: pathId().describe('The user.'),
    upload_quota_mib: integer({ min: -1, max: mostMib }).describe(
      'MiB; 0: no limit; -1: as the setting of the server says.',
    ),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id: userId, upload_quota_mib: quota } }) {
    await changeUploadQuota(ctx, actor, { userId, quotaMib: quota === -1 ? null : quota })
    return {}
  },
})
