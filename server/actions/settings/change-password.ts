import { badRequest } from '../../../shared/errors.js'
import type { AuditChange } from '../../../shared/events/audit.js'
import { requireShortPassword, requireStrongPassword } from '../../auth/password-strength.js'
import { hashPassword, isRightPassword } from '../../auth/passwords.js'
import type { WorkerCtx } from '../../ctx.js'
import { tryPassword } from '../../limits/sign-in-attempts.js'
import type { UserRow } from '../../store/users/users.js'

/** Hashes of the old password, which was verified, and of the new one. */
export interface PasswordChange {
  readonly before: string
  readonly after: string
}

export const wrongPassword = () => badRequest('Wrong password!')

/** The entry of the audit log for a new password. */
export const passwordChanged = (user_id: number): AuditChange => ({
  subject: { user_id },
  before: null,
  after: { password: 'changed' },
})

/**
 * Verifies the old password and hashes the new one, outside any transaction because hashing takes tens of ms. Wrong passwords count
 * together with those of sign-ins.
 * @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT
 */
export async function passwordChange(
  ctx: WorkerCtx,
  user: UserRow,
  { old, next }: { old: string; next: string },
): Promise<PasswordChange> {
  // Before the old password is verified, which takes tens of ms.
  requireShortPassword(next)
  const { id: userId, delivery_email: email } = user
  const before = await tryPassword(ctx, { email, userId, address: '' }, hash =>
    ctx.workLimits.passwordHashes.run(() => isRightPassword(hash, old)),
  )
  if (before === undefined) throw wrongPassword()
  await requireStrongPassword(next, [email, user.full_name])
  return { before, after: await ctx.workLimits.passwordHashes.run(() => hashPassword(next)) }
}
