import { topicKey } from '../../../shared/resources/topic.js'
import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { type MailContent, type MissedReason, mail, missedReasons } from '../../job-types/mail.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { notifyReason } from '../../policies/notify-reason.js'
import { mayReadMessage } from '../../policies/reading.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { unknownName } from '../../presenters/addresses.js'
import type { Tx } from '../../store/driver/db.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { type SeenMessage, seenMessages } from '../../store/messages/message-rows.js'
import { messagesBefore } from '../../store/notify/context-messages.js'
import { takeMissed } from '../../store/notify/missed-messages.js'
import { type ReaderFacts, readerFacts } from '../../store/notify/reader-facts.js'
import type { UserRow } from '../../store/users/users.js'
import { replyAddress } from '../incoming-mail/reply-address.js'
import { mayBeNotified } from './candidates.js'

type Missed = Extract<MailContent, { kind: 'missed_messages' }>

/** A message that the user still has to get, and why. */
interface Due {
  readonly message: SeenMessage
  readonly reason: MissedReason
}

/**
 * Adds the mails of the messages that a user has missed, one for each conversation: without what the user has read, or may not read any more,
 * and by the settings of this moment. The directory is fresh.
 */
export async function mailMissed(ctx: Ctx, tx: Tx, after: After, userId: number): Promise<void> {
  const { directory } = ctx
  const ids = (await takeMissed(tx, userId)).map(row => row.message_id)
  const user = directory.users.get(userId)
  if (!user?.is_active || !directory.organization.is_active || ids.length === 0) return
  const due = await stillDue(ctx, tx, user, ids)
  if (due.length === 0) return
  const shown = await namesFor(ctx, tx, user)
  const before = await contextOf(ctx, tx, user, due)
  for (const part of byConversation(due)) {
    const content = await contentOf(ctx, tx, user, {
      due: part,
      before: before.filter(one => isSamePlace(one, part)),
      shown,
    })
    const unsubscribe = { kind: 'missed_messages', user_id: user.id } as const
    after(mail, { to: user.delivery_email, language: userSetting(user, 'default_language'), content, unsubscribe })
  }
}

async function stillDue({ directory }: Ctx, tx: Tx, user: UserRow, ids: readonly number[]): Promise<Due[]> {
  const seen = await seenMessages(tx, user.id, ids)
  const pairs = ids.map(messageId => ({ messageId, userId: user.id }))
  const facts = new Map((await readerFacts(tx, pairs)).map(one => [one.message_id, one]))
  return seen.flatMap(message => {
    const [own, sender] = [facts.get(message.id), directory.users.get(message.sender_id)]
    if (!own || message.is_read || !sender || !mayBeNotified(user, sender)) return []
    if (!mayReadMessage(directory, user, message) || (message.channel_id !== null && !own.is_subscribed)) return []
    const reason = notifyReason(user, 'email', factsOf(message, own))
    return reason ? { message, reason } : []
  })
}

const factsOf = ({ channel_id, bits, wildcard_mentions }: SeenMessage, own: ReaderFacts) => ({
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

/** What was said before the mentions among the messages, as far as the user may read it, without users whom the user has muted. */
async function contextOf(ctx: Ctx, tx: Tx, user: UserRow, due: readonly Due[]): Promise<SeenMessage[]> {
  const own = new Set(due.map(({ message }) => message.id))
  const mentions = due.filter(({ message, reason }) => reason === 'mention' && message.channel_id !== null)
  const ids = await messagesBefore(
    tx,
    mentions.map(({ message }) => message.id),
  )
  const others = ids.filter(id => !own.has(id))
  const seen = others.length === 0 ? [] : await seenMessages(tx, user.id, others)
  const muted = new Set(user.muted_users.map(({ id }) => id))
  return seen.filter(message => !muted.has(message.sender_id) && mayReadMessage(ctx.directory, user, message))
}

/** The names of users as the reader may know them. */
async function namesFor({ directory }: Ctx, tx: Tx, user: UserRow): Promise<(userId: number) => string> {
  const known = await accessibleUsers(tx, directory, user)
  return id => (known === null || known.has(id) ? directory.users.get(id)?.full_name : undefined) ?? unknownName
}

const placeOf = ({ channel_id, conversation_id, topic }: SeenMessage): string =>
  channel_id === null ? `${conversation_id}` : `${channel_id} ${topicKey(topic)}`

const isSamePlace = (message: SeenMessage, [first]: readonly Due[]): boolean =>
  first !== undefined && placeOf(message) === placeOf(first.message)

function byConversation(due: readonly Due[]): Due[][] {
  const parts = new Map<string, Due[]>()
  for (const one of due) {
    const place = placeOf(one.message)
    const part = parts.get(place)
    if (part) part.push(one)
    else parts.set(place, [one])
  }
  return [...parts.values()]
}

/** Never empty parts of one conversation. */
interface Part {
  readonly due: readonly Due[]
  readonly before: readonly SeenMessage[]
  readonly shown: (userId: number) => string
}

async function contentOf(ctx: Ctx, tx: Tx, user: UserRow, { due, before, shown }: Part): Promise<Missed> {
  const contentHidden = hiddenBy(ctx, user)
  const reasons = new Set(due.map(one => one.reason))
  const common = {
    kind: 'missed_messages',
    reason: missedReasons.find(reason => reasons.has(reason)) ?? 'channel',
    // An address has one account here, so the automatic policy needs no name.
    namesOrganization: userSetting(user, 'realm_name_in_email_notifications_policy') === 2,
    zone: user.timezone,
  } as const
  if (contentHidden) {
    const conversation: Missed['conversation'] = { type: 'direct', names: [], userIds: [] }
    return { ...common, contentHidden, conversation, messages: [], replyTo: null }
  }
  const missed = due.map(one => one.message)
  const messages = [...before, ...missed]
    .sort((a, b) => a.id - b.id)
    .map(message => ({
      id: message.id,
      sender: shown(message.sender_id),
      time: Math.floor(message.date_sent.getTime() / 1000),
      html: message.rendered_content,
      isContext: !missed.includes(message),
    }))
  const conversation = conversationOf(ctx, user, missed, shown)
  const place = conversation.type === 'direct' ? { people: conversation.userIds } : conversation
  const replyTo = await replyAddress(ctx, tx, user.id, { ...place, messageId: missed.at(-1)?.id ?? 0 })
  return { ...common, conversation, messages, replyTo }
}

/** Which setting keeps texts and names out of the mail. */
function hiddenBy({ directory }: Ctx, user: UserRow): 'account' | 'organization' | undefined {
  if (!realmSetting(directory, 'message_content_allowed_in_email_notifications')) return 'organization'
  return userSetting(user, 'message_content_in_email_notifications') ? undefined : 'account'
}

function conversationOf(
  { directory }: Ctx,
  user: UserRow,
  messages: readonly SeenMessage[],
  shown: (userId: number) => string,
): Missed['conversation'] {
  // The topic as it is now.
  const { channel_id = null, topic = '', user_ids = null } = messages.at(-1) ?? {}
  if (channel_id !== null) {
    return { type: 'channel', channelId: channel_id, channel: directory.channels.get(channel_id)?.name ?? '', topic }
  }
  const userIds = user_ids ?? []
  return { type: 'direct', names: userIds.filter(id => id !== user.id).map(shown), userIds }
}
