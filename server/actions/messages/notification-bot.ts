import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { systemDomain } from '../../policies/joining.js'
import type { UserRow } from '../../store/users/users.js'
import { notificationBotName } from '../accounts/account-details.js'
import { createSystemBot } from '../accounts/new-account.js'

// No account can register this address and no mail server delivers to it.
const email = `notification-bot@${systemDomain}`

/** The account that sends the server's own messages; created at first use. */
export async function notificationBot(ctx: Ctx): Promise<UserRow> {
  return known(ctx) ?? (await ctx.workLimits.systemAccounts.run(email, () => create(ctx)))
}

const known = ({ directory }: Pick<Ctx, 'directory'>): UserRow | undefined => directory.usersByEmail.get(email)

async function create(ctx: Ctx): Promise<UserRow> {
  const made = known(ctx)
  if (made) return made
  try {
    return await createSystemBot(ctx, email, notificationBotName)
  } catch (error) {
    await ctx.directory.fresh()
    const other = known(ctx)
    // Another worker created it first.
    if (other && error instanceof ApiError) return other
    throw error
  }
}
