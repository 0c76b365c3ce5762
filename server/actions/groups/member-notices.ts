import { limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import type { NamedGroup } from '../../policies/groups.js'
import type { UserRow } from '../../store/users/users.js'
import { type Notice, notificationBot, sendNotices, silently } from '../messages/notification-bot.js'
import type { ChangedMembers } from './change-members.js'

// Messages per batch: requests are processed between two batches.
const atOnce = limits.max_bulk_new_subscription_messages

/**
 * Sends a direct message to each person that another user added to a group or removed from it. Resolves after the first batch; the other
 * batches of a large group are sent in the background. Beyond budgets.memberNotices none is sent, because one request would create as many
 * messages.
 */
export async function sendMemberNotices(ctx: Ctx, { caller, group, change }: ChangedMembers): Promise<void> {
  const notices = [
    ...noticesTo(ctx, caller, change.add, `${silently(caller)} added you to the group ${named(group)}.`),
    ...noticesTo(ctx, caller, change.delete, `${silently(caller)} removed you from the group ${named(group)}.`),
  ]
  if (notices.length > budgets.memberNotices.most) return
  await sendSome(ctx, notices.slice(0, atOnce))
  const sendRest = async () => {
    for (let at = atOnce; at < notices.length; at += atOnce) await sendSome(ctx, notices.slice(at, at + atOnce))
  }
  void sendRest()
}

interface DirectNotice extends Notice {
  readonly userId: number
}

function noticesTo({ directory }: Ctx, caller: UserRow, userIds: readonly number[], content: string): DirectNotice[] {
  const others = userIds.filter(id => id !== caller.id && !directory.users.get(id)?.is_bot)
  return others.map(userId => ({ userId, to: { people: [userId] }, content }))
}

async function sendSome(ctx: Ctx, notices: readonly DirectNotice[]): Promise<void> {
  if (notices.length === 0) return
  try {
    const bot = await notificationBot(ctx)
    await ctx.conversations.makePairs(
      bot.id,
      notices.map(notice => notice.userId),
    )
  } catch (error) {
    ctx.log.warn(error, 'conversations for notices were not created together')
  }
  await sendNotices(ctx, notices)
}

const named = ({ name }: NamedGroup): string => `@_*${name}*`
