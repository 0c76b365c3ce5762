import { limits } from '../../../shared/limits.js'
import type { WorkerCtx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { countMailRequest, mayMailTo } from '../../limits/account-mails.js'
import { isEmail } from '../accounts/account-details.js'
import { addMail } from '../accounts/add-mail.js'

interface FindRequest {
  /** Separated by commas. */
  readonly emails: string
  readonly clientAddress: string
  /** Of mails to addresses without an account. */
  readonly language: string
}

/**
 * Mails to each address whether it has an account here, unless it has got enough such mails. Nothing but the mails tells it. Returns the
 * addresses as they were given; null: one is none, or they are too many.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function findAccounts(ctx: WorkerCtx, request: FindRequest): Promise<readonly string[] | null> {
  const emails = [...new Set(request.emails.split(',').map(email => email.trim()))].filter(email => email !== '')
  if (emails.length === 0 || emails.length > limits.find_accounts_addresses || !emails.every(isEmail)) return null
  await countMailRequest(ctx, request.clientAddress)
  const counted = await Promise.all(emails.map(email => mayMailTo(ctx, 'find', email)))
  await ctx.write(async (_tx, _emit, { after }) => {
    for (const email of emails.filter((_, i) => counted[i])) {
      const found = ctx.directory.usersByEmail.get(email.toLowerCase())
      const user = found?.is_bot ? undefined : found
      const state = user ? (user.is_active ? 'active' : 'deactivated') : 'none'
      const content = { kind: 'found_account', account: email, state } as const
      if (user) addMail(ctx, after, user, content)
      else after(mail, { to: email, language: request.language, content })
    }
  })
  return emails
}
