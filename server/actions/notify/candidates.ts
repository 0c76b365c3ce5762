import type { WorkerCtx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { wantsChannels } from '../../policies/notify-reason.js'
import { userSetting } from '../../policies/settings.js'
import type { Tx } from '../../store/driver/db.js'
import type { UndecidedMessage } from '../../store/notify/undecided-messages.js'
import type { UserRow } from '../../store/users/users.js'
import { isOfWelcomeBot } from '../messages/system-bots.js'

/** A user whose settings decide whether a message notifies the user. */
export interface Candidate {
  readonly message: UndecidedMessage
  readonly user: UserRow
  readonly messageId: number
  readonly userId: number
}

/**
 * The users that messages may notify: without a statement for each reader, and none at all for subscribers who want no notifications of the
 * channel. `looked`: how many of the messages; the one that reaches `most` candidates is the last.
 */
export async function candidatesOf(
  ctx: WorkerCtx,
  tx: Tx,
  messages: readonly UndecidedMessage[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ candidates: Candidate[]; looked: number }> {
  const { directory } = ctx
  const byDefault = directory.derived(usersWhoWantChannels)
  const needsSubscribers = (message: UndecidedMessage) =>
    message.channel_id !== null && (message.mentions_channel || (byDefault.size > 0 && !message.isEdit))
  const versions = new Map(
    messages.filter(needsSubscribers).map(one => [one.channel_id as number, one.subscribers_version as number]),
  )
  const subscribers = versions.size === 0 ? new Map() : await ctx.memory.subscribers.read(tx, versions)
  const candidates: Candidate[] = []
  let looked = 0
  for (const message of messages) {
    if (candidates.length >= most) break
    looked++
    const there: Int32Array = subscribers.get(message.channel_id)?.ids ?? new Int32Array()
    const ids = new Set([
      ...(message.participants ?? []),
      ...(message.mentioned ?? []),
      ...(message.topic_mentioned ?? []),
      ...(message.followers ?? []),
      ...(message.askers ?? []),
      ...(message.mentions_channel ? there : there.filter(id => byDefault.has(id))),
    ])
    for (const one of candidatesAmong(directory, message, ids)) candidates.push(one)
  }
  return { candidates, looked }
}

/** Those of the users that the message may notify at all. */
export function candidatesAmong({ users }: Directory, message: UndecidedMessage, ids: Iterable<number>): Candidate[] {
  const sender = users.get(message.sender_id)
  if (!sender || isOfWelcomeBot(sender)) return []
  return [...ids].flatMap(userId => {
    const user = users.get(userId)
    return user && mayBeNotified(user, sender) ? { message, user, messageId: message.id, userId } : []
  })
}

/** Whether messages of the sender may notify the user at all. */
export const mayBeNotified = (user: UserRow, sender: UserRow): boolean =>
  user.is_active &&
  !user.is_bot &&
  user.id !== sender.id &&
  (userSetting(user, 'enable_offline_email_notifications') || userSetting(user, 'enable_offline_push_notifications')) &&
  !user.muted_users.some(muted => muted.id === sender.id)

/** Ids of users who want notifications of all channels without a setting of their own. */
function usersWhoWantChannels({ users }: Directory): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const user of users.values()) {
    if (user.is_active && (wantsChannels(user, 'email') || wantsChannels(user, 'push'))) ids.add(user.id)
  }
  return ids
}
