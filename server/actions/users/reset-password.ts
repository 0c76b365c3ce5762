import type { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { hashPassword } from '../../auth/passwords.js'
import type { Ctx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { setPasswordHash } from '../../store/users/users.js'
import { newPassword } from '../accounts/new-secrets.js'
import { passwordChanged } from '../settings/change-password.js'

/**
 * Sets a random password for a person, and mails it if `isMailed`. Its API key, and so its clients, are not affected.
 * @returns the password, which is stored only in the job of the mail, until that is sent
 * @throws {ApiError} BAD_REQUEST for bots and deactivated accounts
 */
export async function resetPassword(ctx: Ctx, userId: number, isMailed = false): Promise<string> {
  const password = newPassword()
  // Hashed before the transaction, because hashing takes tens of ms.
  const hash = await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
  await ctx.write(async (tx, _, { audit, after }) => {
    await ctx.directory.hold(tx, 'share')
    const user = ctx.directory.users.get(userId)
    if (!user?.is_active || user.is_bot) throw badRequest('Only active people have passwords.')
    await setPasswordHash(tx, userId, hash)
    await dropPendingAddress(tx, userId)
    audit('password_change', passwordChanged(userId))
    if (isMailed) after(mail, passwordMail(ctx, user.delivery_email, password))
  })
  return password
}

function passwordMail({ directory, publicUrl }: Ctx, to: string, password: string): z.output<typeof mail.payload> {
  const { name } = directory.organization
  const text = `Your new password at ${name} (${publicUrl}) is ${password}\n\nPlease change it soon.`
  return { to, subject: `Your new password at ${name}`, text }
}
