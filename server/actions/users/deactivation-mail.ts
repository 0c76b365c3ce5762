import type { Ctx } from '../../ctx.js'
import { sendMail } from '../../mail/send-mail.js'
import type { UserRow } from '../../store/users/users.js'

/** Notifies a user by mail of the deactivation. A failure is only logged: the account is deactivated already. */
export async function notifyDeactivated(ctx: Ctx, user: UserRow, comment: string): Promise<void> {
  const { name } = ctx.directory.organization
  const reason = comment.trim() === '' ? [] : ['The administrators say:', comment.trim()]
  const text = [
    `Your account ${user.delivery_email} at ${name} (${ctx.publicUrl}) has been deactivated.`,
    'You can no longer sign in.',
    ...reason,
  ].join('\n\n')
  try {
    await sendMail(ctx.config, { to: user.delivery_email, subject: `Your account at ${name} is deactivated`, text })
  } catch (error) {
    ctx.log.warn({ error, user: user.id }, 'the mail about a deactivation could not be sent')
  }
}
