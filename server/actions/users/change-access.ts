import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx, WorkerCtx } from '../../ctx.js'
import { countAttempt } from '../../limits/sign-in-attempts.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { requireMayChangeAccess } from '../../policies/accounts.js'
import { isPasswordOn } from '../../policies/sign-in.js'
import { storePasswordKey } from '../../store/accounts/confirmations.js'
import type { Tx } from '../../store/driver/db.js'
import { readPasswordHash, type UserRow } from '../../store/users/users.js'
import { signOut } from '../accounts/end-sessions.js'
import { newLinkKey } from '../accounts/new-secrets.js'
import { mailPasswordLink } from './own-password-reset.js'

/** Ends all sessions of a person; its API key stays. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function endSessionsOfPerson(ctx: Ctx, actor: Actor, userId: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'change')
    const { id } = await accessiblePerson(ctx, tx, actor, userId)
    await signOut(tx, emit, id)
  })
  await ctx.directory.fresh()
}

/**
 * Mails a person the link that sets a new password; the present one stays until then.
 * @returns the path of the link if the server sends no mails, so that the caller can hand it over; null: mailed
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, RATE_LIMIT_HIT
 */
export async function offerPasswordReset(ctx: WorkerCtx, actor: Actor, userId: number): Promise<string | null> {
  await countAttempt(ctx, 'password-link', String(actor.user.id), limits.invitation_requests)
  const key = newLinkKey()
  const now = ctx.clock.now()
  const mailed = { key, now: new Date(now), expires: new Date(now + limits.password_reset_secs * 1000) }
  await ctx.write(async (tx, _, { audit, after }) => {
    await ctx.directory.hold(tx, 'share')
    const user = await accessiblePerson(ctx, tx, actor, userId)
    if (!isPasswordOn(ctx)) throw badRequest('Users do not sign in with passwords here.')
    const passwordHash = await readPasswordHash(tx, userId)
    await storePasswordKey(tx, mailed, { id: userId, address: user.delivery_email, role: user.role, passwordHash })
    mailPasswordLink(ctx, after, user, key)
    audit('password_link', { subject: { user_id: userId }, before: null, after: { password_link: 'sent' } })
  })
  return ctx.config.smtpUrl ? null : `/accounts/password/reset/${userId}/${key}/`
}

/** An active person whose ways to sign in the caller may change, in a transaction that holds the organization. */
async function accessiblePerson({ directory }: Ctx, tx: Tx, actor: Actor, userId: number): Promise<UserRow> {
  const caller = currentUser(directory, actor.user)
  const user = directory.users.get(userId)
  const isPerson = user?.is_active && !user.is_bot
  if (!isPerson || !(await mayAccessUser(tx, directory, caller, user))) throw badRequest('No such user')
  requireMayChangeAccess(caller, user)
  return user
}
