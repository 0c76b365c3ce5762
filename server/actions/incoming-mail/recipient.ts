import type { Ctx } from '../../ctx.js'
import { type MailTarget, targetOfToken } from '../../store/incoming-mail/mail-addresses.js'
import type { UserRow } from '../../store/users/users.js'
import { type MailOption, readAddress } from './mail-address.js'

/** An address of this server to which a mail is sent. */
export interface MailRecipient {
  readonly token: string
  readonly target: MailTarget
  readonly options: ReadonlySet<MailOption>
  /** The account that the address was made for. */
  readonly user: UserRow
}

/**
 * Finds what an address is for. Undefined: it is none of this server, has ended, or belongs to an account or a channel that is not active.
 * Whether the account may still write there is decided when the message is sent.
 */
export async function recipientOf(ctx: Ctx, address: string): Promise<MailRecipient | undefined> {
  const read = readAddress(ctx, address)
  if (!read) return undefined
  const [target] = await Promise.all([
    targetOfToken(ctx.sql, read.token, new Date(ctx.clock.now())),
    ctx.directory.fresh(),
  ])
  if (target?.purpose !== (read.isReply ? 'reply' : 'channel')) return undefined
  const { directory } = ctx
  const user = directory.users.get(target.user_id)
  if (!user?.is_active || !directory.organization.is_active) return undefined
  if (target.purpose === 'channel' && directory.channels.get(target.channel_id)?.is_archived !== false) return undefined
  return { token: read.token, target, options: read.options, user }
}
