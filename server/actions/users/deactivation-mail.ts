import type { z } from 'zod'
import type { Ctx } from '../../ctx.js'
import type { mail } from '../../job-types/mail.js'
import type { UserRow } from '../../store/users/users.js'

/** Notifies a user of the deactivation. `comment`: what the administrators say; may be blank. */
export function deactivationMail(ctx: Ctx, user: UserRow, comment: string): z.output<typeof mail.payload> {
  const { name } = ctx.directory.organization
  const reason = comment.trim() === '' ? [] : ['The administrators say:', comment.trim()]
  const text = [
    `Your account ${user.delivery_email} at ${name} (${ctx.publicUrl}) has been deactivated.`,
    'You can no longer sign in.',
    ...reason,
  ].join('\n\n')
  return { to: user.delivery_email, subject: `Your account at ${name} is deactivated`, text }
}
