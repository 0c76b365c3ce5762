import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { systemDomain } from '../../policies/joining.js'
import type { UserRow } from '../../store/users/users.js'
import { emailGatewayName, notificationBotName, welcomeBotName } from '../accounts/account-details.js'
import { createSystemBot } from '../accounts/new-account.js'

interface SystemBot {
  readonly email: string
  readonly name: string
}

const notification: SystemBot = { email: `notification-bot@${systemDomain}`, name: notificationBotName }
const welcome: SystemBot = { email: `welcome-bot@${systemDomain}`, name: welcomeBotName }
const gateway: SystemBot = { email: `emailgateway@${systemDomain}`, name: emailGatewayName }

/** The account that sends the server's own messages; created at first use. */
export const notificationBot = (ctx: Ctx): Promise<UserRow> => accountOf(ctx, notification)

/** The account that greets new users; created at first use. */
export const welcomeBot = (ctx: Ctx): Promise<UserRow> => accountOf(ctx, welcome)

/** Messages of the welcome bot notify no user. */
export const isOfWelcomeBot = ({ is_system_bot, delivery_email }: UserRow): boolean =>
  is_system_bot && delivery_email === welcome.email

/** The account whose messages are mails to channels; created at first use. */
export const emailGateway = (ctx: Ctx): Promise<UserRow> => accountOf(ctx, gateway)

const accountOf = async (ctx: Ctx, bot: SystemBot): Promise<UserRow> =>
  known(ctx, bot) ?? (await ctx.workLimits.systemAccounts.run(bot.email, () => create(ctx, bot)))

const known = ({ directory }: Pick<Ctx, 'directory'>, { email }: SystemBot): UserRow | undefined =>
  directory.usersByEmail.get(email)

async function create(ctx: Ctx, bot: SystemBot): Promise<UserRow> {
  const made = known(ctx, bot)
  if (made) return made
  try {
    return await createSystemBot(ctx, bot.email, bot.name)
  } catch (error) {
    await ctx.directory.fresh()
    const other = known(ctx, bot)
    // Another worker created it first.
    if (other && error instanceof ApiError) return other
    throw error
  }
}
