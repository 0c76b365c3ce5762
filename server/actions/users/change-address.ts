import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedEmail, requireUnusedEmail } from '../accounts/account-details.js'
import { notifyOfEmail } from '../announce/emails.js'

/** Changes an account's address without confirmation, for the server's operator. @throws {ApiError} BAD_REQUEST */
export async function changeAddress(ctx: Ctx, userId: number, given: string): Promise<void> {
  const { directory } = ctx
  const delivery_email = checkedEmail(given)
  const changed = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const before = directory.users.get(userId)
    if (!before || before.is_system_bot || before.is_deleted) throw badRequest('No such user')
    if (delivery_email === before.delivery_email) return []
    await requireUnusedEmail(tx, directory, delivery_email, userId)
    const [after] = (await changeUsers(tx, [before], { delivery_email })) as [UserRow]
    // A confirmation link that was requested before must not set another address afterwards.
    await dropPendingAddress(tx, userId)
    const shown = directory.preview({ users: [after] })
    notifyOfEmail(emit, ctx, shown, { before, after, audience: await whoMayAccess(tx, shown, after) })
    return [after]
  })
  directory.adopt({ users: changed })
}
