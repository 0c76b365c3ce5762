import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { type MailContent, mail } from '../../job-types/mail.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * Adds a mail to the running transaction: it is sent when that has committed. `reader`: an account, which reads its own language at its
 * address, or an address without an account, which reads that of the organization.
 */
export function addMail(ctx: Ctx, after: After, reader: UserRow | string, content: MailContent): void {
  const isAccount = typeof reader !== 'string'
  const to = isAccount ? reader.delivery_email : reader
  const language = isAccount ? userSetting(reader, 'default_language') : realmSetting(ctx.directory, 'default_language')
  after(mail, { to, language, content })
}
