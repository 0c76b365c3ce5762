import type { Ctx } from '../../ctx.js'
import type { MailContent } from '../../job-types/mail.js'
import { stillDue } from './mail-missed.js'

type Missed = Extract<MailContent, { kind: 'missed_messages' }>

/**
 * What a mail of missed messages contains when it is sent later than it was written: without the messages that the user has read meanwhile, may
 * not read any more, or does not want to be mailed. Undefined: none is left. The directory is fresh.
 */
export async function stillMissed(ctx: Ctx, userId: number, content: Missed): Promise<Missed | undefined> {
  const { directory, sql } = ctx
  const user = directory.users.get(userId)
  if (!user?.is_active || !directory.organization.is_active) return undefined
  const ids = content.missed ?? content.messages.filter(one => !one.isContext).map(one => one.id)
  const due = new Set((await stillDue(ctx, sql, user, ids)).map(({ message }) => message.id))
  if (due.size === 0) return undefined
  const messages = content.messages.filter(({ id, isContext }) => isContext || due.has(id))
  const shown = messages.filter(({ isContext }) => !isContext).length
  const others = content.contentHidden === undefined ? due.size - shown : content.others
  return { ...content, messages, others, missed: [...due] }
}
