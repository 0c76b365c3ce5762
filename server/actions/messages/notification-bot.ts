import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import { plainMarkdown } from '../../text/report.js'
import { notificationBotName } from '../accounts/account-details.js'
import { createSystemBot } from '../accounts/new-account.js'
import type { To } from './recipients.js'
import { sendMessage } from './send.js'

// No account can register this address and no mail server delivers to it.
const email = 'notification-bot@system.invalid'

export interface Notice {
  readonly to: To
  readonly content: string
  /** Marks the message read for all users except these; ids ascending. */
  readonly readByAllBut?: readonly number[]
}

/** A mention of a user that does not notify the user. */
export const silently = ({ full_name, id }: Pick<UserRow, 'full_name' | 'id'>): string => `@_**${full_name}|${id}**`

/** A mention of a user that notifies the user. */
export const mention = ({ full_name, id }: Pick<UserRow, 'full_name' | 'id'>): string => `@**${full_name}|${id}**`

/** A name in bold, for a channel's former name and for other names that users choose; as code if it contains markup. */
export const inBold = (name: string): string => (/[*`[\]<\\@#]/.test(name) ? plainMarkdown(name) : `**${name}**`)

/**
 * Sends messages of the notification bot, in any order. A failure is only logged, because the change that the message reports has been
 * committed.
 */
export async function sendNotices(ctx: Ctx, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  const failed = (error: unknown) => ctx.log.warn(error, 'a notice was not sent')
  try {
    const { id: senderId } = await notificationBot(ctx)
    const send = (notice: Notice) =>
      sendMessage(ctx, { senderId, client: 'Internal', ...notice, readBySender: true }).catch(failed)
    await Promise.all(notices.map(send))
  } catch (error) {
    failed(error)
  }
}

/** The account that sends the server's own messages; created at first use. */
export async function notificationBot(ctx: Ctx): Promise<UserRow> {
  const known = ctx.directory.usersByEmail.get(email)
  if (known) return known
  try {
    return await createSystemBot(ctx, email, notificationBotName)
  } catch (error) {
    await ctx.directory.fresh()
    const made = ctx.directory.usersByEmail.get(email)
    // Another worker created it first.
    if (made && error instanceof ApiError) return made
    throw error
  }
}
