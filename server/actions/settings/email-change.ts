import { limits } from '../../../shared/limits.js'
import type { WorkerCtx } from '../../ctx.js'
import { countAttempt } from '../../limits/sign-in-attempts.js'
import { mayAccessUser, whoMayAccess } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayChangeOwnEmail } from '../../policies/accounts.js'
import { requireAllowedAddress } from '../../policies/joining.js'
import { deliveryEmailFor } from '../../policies/users.js'
import { storePendingAddress, takePendingAddress } from '../../store/users/pending-addresses.js'
import { changeUsers } from '../../store/users/user-changes.js'
import { isEmailTaken, type UserRow } from '../../store/users/users.js'
import { checkedEmail, emailInUse, requireUnusedEmail } from '../accounts/account-details.js'
import { addMail } from '../accounts/add-mail.js'
import { expiredLink } from '../accounts/expired-link.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { notifyOfEmail } from '../announce/emails.js'

/**
 * The requested address; undefined if it is the present one. The request is counted before other accounts are searched. An address that
 * another account has is refused only if the caller may see it there; otherwise the answer is the same as for a free address.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT
 */
export async function newAddress(ctx: WorkerCtx, user: UserRow, given: string): Promise<string | undefined> {
  const { directory } = ctx
  const email = checkedEmail(given)
  if (email === user.delivery_email) return undefined
  requireMayChange(directory, user, email)
  await countAttempt(ctx, 'address', String(user.id), limits.address_changes)
  const holder = directory.usersByEmail.get(email.toLowerCase())
  const isShown = holder && holder.id !== user.id && deliveryEmailFor(user, holder) !== null
  if (isShown && (await mayAccessUser(ctx.sql, directory, user, holder))) throw emailInUse(email)
  return email
}

/**
 * Sends a mail to the new address, which becomes valid when its owner opens the link. If another account has the address the mail contains
 * no link; the same rows are stored in both cases, so that the caller sees no difference.
 */
export async function startEmailChange(ctx: WorkerCtx, user: UserRow, address: string): Promise<void> {
  const key = newApiKey()
  const expires = new Date(ctx.clock.now() + limits.address_confirmation_secs * 1000)
  await ctx.write(async (tx, _, { after }) => {
    await storePendingAddress(tx, { user_id: user.id, address }, { key, expires })
    const isTaken = await isEmailTaken(tx, address, user.id)
    const account = user.delivery_email
    addMail(
      ctx,
      after,
      { ...user, delivery_email: address },
      isTaken ? { kind: 'address_taken', account } : { kind: 'address_confirmation', account, key },
    )
  })
}

/** @throws {ApiError} BAD_REQUEST: with status 404 for an unknown, used or expired key; when the address was taken meanwhile. */
export async function confirmEmailChange(ctx: WorkerCtx, key: string): Promise<void> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit, { after: afterwards }) => {
    await directory.hold(tx, 'change')
    const pending = await takePendingAddress(tx, key, new Date(ctx.clock.now()))
    const before = pending && directory.users.get(pending.user_id)
    if (!pending || !before?.is_active) throw expiredLink()
    requireMayChange(directory, before, pending.address)
    await requireUnusedEmail(tx, directory, pending.address, before.id)
    const [after] = (await changeUsers(tx, [before], { delivery_email: pending.address })) as [UserRow]
    const shown = directory.preview({ users: [after] })
    notifyOfEmail(emit, ctx, shown, { before, after, audience: await whoMayAccess(tx, shown, after) })
    addMail(ctx, afterwards, before, {
      kind: 'address_changed',
      account: before.delivery_email,
      address: pending.address,
    })
    return [after]
  })
  directory.adopt({ users: changed })
}

/** Checks the user's role and the organization's settings only, without a search of other accounts. */
function requireMayChange(directory: Directory, user: UserRow, email: string): void {
  requireMayChangeOwnEmail(directory, user)
  requireAllowedAddress(directory, email)
}
