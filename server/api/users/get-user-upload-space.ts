import { z } from 'zod'
import { currentUser } from '../../lookups/find-user.js'
import { pathId } from '../../params/schemas.js'
import { accountWithQuota } from '../../policies/accounts.js'
import { administrators } from '../../policies/allow.js'
import { readAccountSpace } from '../../store/files/quota-use.js'
import { route } from '../route.js'

export const getUserUploadSpace = route({
  operation: 'get_user_upload_space',
  method: 'GET',
  path: '/users/{user_id}/upload_space',
  doc: 'What the files of an account take, and how much they may. Administrators only; of an owner only owners.',
  allow: administrators,
  params: z.object({ user_id: pathId().describe('The user.') }),
  returns: z.object({
    used_bytes: z.int().describe('Of its files; those of deleted messages count for 30 days.'),
    upload_quota_mib: z.int().nullable().describe('0: no limit; null: `default_quota_mib` applies.'),
    default_quota_mib: z
      .int()
      .describe('Of accounts without a quota of their own (`UPLOAD_QUOTA_USER_MIB`); 0: no limit.'),
  }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  isAdministrative: true,
  async handle({ ctx, actor, params: { user_id } }) {
    await ctx.directory.fresh()
    const { id } = accountWithQuota(ctx.directory, currentUser(ctx.directory, actor.user), user_id)
    const { bytes, quota_mib } = await readAccountSpace(ctx.sql, id)
    return {
      used_bytes: bytes,
      upload_quota_mib: quota_mib,
      default_quota_mib: ctx.config.uploadQuotaUserMib,
    }
  },
})
