import { badRequest } from '../../../shared/errors.js'
import { hashPassword } from '../../auth/passwords.js'
import type { Ctx } from '../../ctx.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { setPasswordHash } from '../../store/users/users.js'
import { addMail } from '../accounts/add-mail.js'
import { signOut } from '../accounts/end-sessions.js'
import { newPassword } from '../accounts/new-secrets.js'
import { passwordChanged } from '../settings/change-password.js'

/**
 * Sets a random password for a person, and mails it if `isMailed`. Ends its sessions; its API key, and so its other clients, are not affected.
 * @returns the password, which is stored only in the job of the mail, until that is sent
 * @throws {ApiError} BAD_REQUEST for bots and deactivated accounts
 */
export async function resetPassword(ctx: Ctx, userId: number, isMailed = false): Promise<string> {
  const password = newPassword()
  // Hashed before the transaction, because hashing takes tens of ms.
  const hash = await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
  await ctx.write(async (tx, emit, { audit, after }) => {
    await ctx.directory.hold(tx, 'change')
    const user = ctx.directory.users.get(userId)
    if (!user?.is_active || user.is_bot) throw badRequest('Only active people have passwords.')
    await setPasswordHash(tx, userId, hash)
    await dropPendingAddress(tx, userId)
    await signOut(tx, emit, userId)
    audit('password_change', passwordChanged(userId))
    if (isMailed) addMail(ctx, after, user, { kind: 'new_password', password })
  })
  return password
}
