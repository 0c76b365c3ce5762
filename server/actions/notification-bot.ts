import { ApiError } from '../../shared/errors.js'
import { member } from '../access/allow.js'
import type { Ctx } from '../ctx.js'
import type { UserRow } from '../store/users.js'
import { plainMarkdown } from '../text/report.js'
import type { To } from './messages/recipients.js'
import { sendMessage } from './messages/send.js'
import { createUser } from './users/create.js'

// Nobody can have this address, and nobody can write to it.
const email = 'notification-bot@system.invalid'

export interface Notice {
  readonly to: To
  readonly content: string
  /** Everybody has read it from the beginning, but for these; ids ascending. */
  readonly readByAllBut?: readonly number[]
}

/** Names somebody in a notice, without calling that person. */
export const silently = ({ full_name, id }: Pick<UserRow, 'full_name' | 'id'>): string => `@_**${full_name}|${id}**`

/** Names a channel in a notice. What somebody called it must not become markup there: the server would mention people. */
export const channelLink = (name: string): string => (/[*>]/.test(name) ? plainMarkdown(name) : `#**${name}**`)

/** The same for a name that is the channel's no longer, or for another name that people choose. */
export const inBold = (name: string): string => (/[*`[\]<\\@#]/.test(name) ? plainMarkdown(name) : `**${name}**`)

/** Sends what the server itself has to say. A notice that fails is logged: what it tells of has happened all the same. */
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

/** Who speaks for the server itself. Made when it is first needed. */
export async function notificationBot(ctx: Ctx): Promise<UserRow> {
  const known = ctx.directory.usersByEmail.get(email)
  if (known) return known
  const draft = { email, fullName: 'Notification Bot', role: member, password: null }
  try {
    return await createUser(ctx, { ...draft, bot: { ownerId: null, isSystem: true } })
  } catch (error) {
    await ctx.directory.fresh()
    const made = ctx.directory.usersByEmail.get(email)
    // Another worker was faster.
    if (made && error instanceof ApiError) return made
    throw error
  }
}
