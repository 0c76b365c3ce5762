import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { mail } from '../../job-types/mail.js'
import { welcomeMail } from '../../job-types/welcome-mail.js'
import { learnsToAdminister } from '../../policies/accounts.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import type { UserRow } from '../../store/users/users.js'

const dayMs = 86_400_000
// Days after the account was made, of the mails from number 1 on.
const days = [2, 4, 6] as const

/** The key of the jobs that mail further welcomes to a user. */
const keyOf = (userId: number): string => `welcome mails ${userId}`

/** Mails a new account its data, and adds further mails for its first week. They run one after the other, none at a weekend of the reader. */
export function addWelcomeMails(ctx: Ctx, after: After, user: UserRow): void {
  if (!realmSetting(ctx.directory, 'send_welcome_emails')) return
  addWelcomeMail(after, user, 0)
  for (const [i, day] of days.entries()) {
    const at = workday(new Date(ctx.clock.now() + day * dayMs), user.timezone)
    after(welcomeMail, { userId: user.id, number: i + 1 }, { key: keyOf(user.id), at })
  }
}

/** One mail of welcome, with a link that ends the further ones. */
export function addWelcomeMail(after: After, user: UserRow, number: number): void {
  const language = userSetting(user, 'default_language')
  const content = {
    kind: 'welcome',
    number,
    account: user.delivery_email,
    isAdministrator: learnsToAdminister(user),
  } as const
  after(mail, { to: user.delivery_email, language, content, unsubscribe: { kind: 'welcome', user_id: user.id } })
}

/** The user gets no further mails of welcome. */
export async function endWelcomeMails(ctx: Ctx, userId: number): Promise<void> {
  await ctx.write(tx => cancelJobs(tx, [keyOf(userId)]))
}

/** The same time of the next day that is no Saturday or Sunday in the zone. */
function workday(time: Date, zone: string): Date {
  const timeZone = zone === '' ? 'UTC' : zone
  const name = time.toLocaleDateString('en', { timeZone, weekday: 'short' })
  const wait = name === 'Sat' ? 2 : name === 'Sun' ? 1 : 0
  return new Date(time.getTime() + wait * dayMs)
}
