import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { mail } from '../../job-types/mail.js'
import { notifyReason } from '../../policies/notify-reason.js'
import { quietUntil } from '../../policies/quiet.js'
import { mayReadMessage } from '../../policies/reading.js'
import { userSetting } from '../../policies/settings.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { type PlacedMessage, placedMessages } from '../../store/messages/message-rows.js'
import { takeMissed } from '../../store/notify/missed-messages.js'
import { type ReaderFacts, readerFacts } from '../../store/notify/reader-facts.js'
import type { UserRow } from '../../store/users/users.js'
import { mayBeNotified } from './candidates.js'
import { type Due, missedContents } from './missed-contents.js'
import { mailAt } from './missed-mails.js'

/**
 * Adds the mails of the messages that a user has missed, one for each conversation: without what the user has read, or may not read any more,
 * and by the settings of this moment; in a quiet time of the user, the job that does so at its end. The directory is fresh.
 */
export async function mailMissed(ctx: Ctx, tx: Tx, after: After, userId: number): Promise<void> {
  const { directory, clock } = ctx
  const user = directory.users.get(userId)
  const heldUntil = user?.is_active ? quietUntil(user, clock.now()) : null
  if (heldUntil !== null) return mailAt(after, userId, new Date(heldUntil))
  const ids = (await takeMissed(tx, userId)).map(row => row.message_id)
  if (!user?.is_active || !directory.organization.is_active || ids.length === 0) return
  const due = await stillDue(ctx, tx, user, ids)
  if (due.length === 0) return
  for (const content of await missedContents(ctx, tx, user, due)) {
    const unsubscribe = { kind: 'missed_messages', user_id: user.id } as const
    after(mail, { to: user.delivery_email, language: userSetting(user, 'default_language'), content, unsubscribe })
  }
}

/** Those of the messages that the user may read, has not read, and wants to be mailed, ascending. */
export async function stillDue({ directory }: Ctx, sql: ISql, user: UserRow, ids: readonly number[]): Promise<Due[]> {
  const placed = await placedMessages(sql, user.id, ids)
  const pairs = ids.map(messageId => ({ messageId, userId: user.id }))
  const facts = new Map((await readerFacts(sql, pairs)).map(one => [one.message_id, one]))
  return placed.flatMap(message => {
    const [own, sender] = [facts.get(message.id), directory.users.get(message.sender_id)]
    if (!own || message.is_read || !sender || !mayBeNotified(user, sender)) return []
    if (!mayReadMessage(directory, user, message) || (message.channel_id !== null && !own.is_subscribed)) return []
    const reason = notifyReason(user, 'email', factsOf(message, own))
    return reason ? { message, reason } : []
  })
}

const factsOf = ({ channel_id, bits, wildcard_mentions }: PlacedMessage, own: ReaderFacts) => ({
  isDirect: channel_id === null,
  isMentioned: (bits & flagBit.mentioned) !== 0,
  mentionsTopic: (bits & flagBit.topic_wildcard_mentioned) !== 0,
  mentionsChannel: (wildcard_mentions & wildcardBit.channel) !== 0,
  policy: own.policy,
  isChannelMuted: own.is_muted ?? false,
  ofChannel: {
    email: own.email_notifications,
    push: own.push_notifications,
    wildcard: own.wildcard_mentions_notify,
  },
})
