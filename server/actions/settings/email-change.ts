import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { administrator } from '../../access/allow.js'
import { realmSetting } from '../../access/groups.js'
import { countAttempt } from '../../access/sign-in.js'
import { whoMayAccess } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import { sendMail } from '../../mail/send-mail.js'
import type { ISql } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { bumpVersion } from '../../store/organization.js'
import { storePendingAddress, takePendingAddress } from '../../store/pending-addresses.js'
import { changeUsers } from '../../store/user-changes.js'
import type { UserRow } from '../../store/users.js'
import { checkedEmail, requireAllowedDomain, requireUnusedEmail } from '../users/account-details.js'
import { newApiKey } from '../users/new-secrets.js'
import { tellOfEmail } from '../users/tell-of-email.js'

/**
 * The new address that somebody may give itself once it has confirmed it; undefined when it is the one that it has.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT
 */
export async function newAddress(ctx: Ctx, user: UserRow, given: string): Promise<string | undefined> {
  const { directory } = ctx
  const email = checkedEmail(given)
  if (email === user.delivery_email) return undefined
  await requireChangeable(ctx.sql, directory, user, email)
  await countAttempt(ctx, 'address', String(user.id), limits.address_changes)
  return email
}

/** Sends a mail to the new address: it counts from when its owner has opened the link. */
export async function startEmailChange(ctx: Ctx, user: UserRow, address: string): Promise<void> {
  const key = newApiKey()
  const expires = new Date(ctx.clock.now() + limits.address_confirmation_secs * 1000)
  await ctx.write(tx => storePendingAddress(tx, { user_id: user.id, address }, { key, expires }))
  const { name } = ctx.directory.organization
  const text = [
    `The account ${user.delivery_email} at ${name} (${ctx.publicUrl}) wants to have this address.`,
    `If it is yours, open this link within a day:\n${ctx.publicUrl}/api/v1/confirm_new_email/${key}`,
    'Otherwise there is nothing to do.',
  ].join('\n\n')
  await sendMail(ctx.config, { to: address, subject: `Confirm your new address at ${name}`, text })
}

/** @throws {ApiError} BAD_REQUEST for a key that is not known, was used or has expired, and when the address was taken meanwhile. */
export async function confirmEmailChange(ctx: Ctx, key: string): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const pending = await takePendingAddress(tx, key, new Date(ctx.clock.now()))
    const before = pending && directory.users.get(pending.user_id)
    if (!pending || !before?.is_active) throw badRequest('The confirmation link has expired or was used.')
    await requireChangeable(tx, directory, before, pending.address)
    const [after] = await changeUsers(tx, [before], { delivery_email: pending.address }, await bumpVersion(tx))
    if (!after) return
    const shown = directory.preview({ users: [after] })
    tellOfEmail(emit, ctx, shown, { before, after, audience: await whoMayAccess(tx, shown, after) })
  })
  await directory.fresh()
}

async function requireChangeable(sql: ISql, directory: Directory, user: UserRow, email: string): Promise<void> {
  if (realmSetting(directory, 'email_changes_disabled') && user.role > administrator) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
  requireAllowedDomain(directory, email)
  await requireUnusedEmail(sql, directory, email, user.id)
}
