import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { accountWithQuota } from '../../policies/accounts.js'
import { storeAccountQuota } from '../../store/files/quota-use.js'

/** Sets the MiB that the files of an account may have; 0: no limit; null: as the server's setting says. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function changeUploadQuota(
  ctx: Ctx,
  actor: Actor,
  { userId, quotaMib }: { readonly userId: number; readonly quotaMib: number | null },
): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, _emit, { audit }) => {
    await directory.hold(tx, 'share')
    const { id } = accountWithQuota(directory, currentUser(directory, actor.user), userId)
    const former = await storeAccountQuota(tx, id, quotaMib)
    if (former === quotaMib) return
    audit('user/upload_quota', {
      subject: { user_id: id },
      before: { upload_quota_mib: former },
      after: { upload_quota_mib: quotaMib },
    })
  })
}
