import type { Ctx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'

// The person who has just made the account knows of the sign-in.
const newAccountMs = 60_000

/** Where a person signed in: the client's address, and the browser and system or the program; may be empty. */
interface Place {
  readonly address: string
  readonly device: string
}

/** Tells the account by mail that a person has signed in to it, unless it wants no such mails or is new. */
export async function mailSignIn(ctx: Ctx, user: UserRow, { address, device }: Place): Promise<void> {
  const now = ctx.clock.now()
  if (user.is_bot || !userSetting(user, 'enable_login_emails')) return
  if (now - user.date_joined.getTime() < newAccountMs) return
  const time = new Date(now).toISOString()
  const content = { kind: 'sign_in', account: user.delivery_email, address, device, time, zone: user.timezone } as const
  const language = userSetting(user, 'default_language')
  await ctx.write(async (_tx, _emit, { after }) => {
    after(mail, { to: user.delivery_email, language, content, unsubscribe: { kind: 'login', user_id: user.id } })
  })
}
