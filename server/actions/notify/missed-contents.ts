import { topicKey } from '../../../shared/resources/topic.js'
import type { Ctx } from '../../ctx.js'
import { type MailContent, type MissedReason, missedReasons } from '../../job-types/mail.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import { mayReadMessage } from '../../policies/reading.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { unknownName } from '../../presenters/addresses.js'
import type { Tx } from '../../store/driver/db.js'
import { type PlacedMessage, placedMessages } from '../../store/messages/message-rows.js'
import { messagesBefore } from '../../store/notify/context-messages.js'
import { fittingHtml } from '../../store/notify/fitting-html.js'
import type { UserRow } from '../../store/users/users.js'
import { gather } from '../gather.js'
import { replyAddresses } from '../incoming-mail/reply-address.js'

type Missed = Extract<MailContent, { kind: 'missed_messages' }>

/** A message that the user still has to get, and why. */
export interface Due {
  readonly message: PlacedMessage
  readonly reason: MissedReason
}

/** What the user has missed of one conversation, never empty, and what was said before mentions; ascending. */
interface Part {
  readonly due: readonly Due[]
  readonly before: readonly PlacedMessage[]
}

/** What the mails about these messages contain, one for each conversation. It reads no texts beyond what a mail shows. */
export async function missedContents(ctx: Ctx, tx: Tx, user: UserRow, due: readonly Due[]): Promise<Missed[]> {
  const places = gather(due, ({ message }) => placeOf(message))
  const contentHidden = hiddenBy(ctx, user)
  if (contentHidden) {
    const conversation: Missed['conversation'] = { type: 'direct', names: [], userIds: [] }
    const nothing = { contentHidden, conversation, messages: [], others: 0, replyTo: null }
    return places.map(([, part]) => ({ ...commonOf(user, part), ...nothing }))
  }
  const shown = await namesFor(ctx, tx, user)
  const before = new Map(gather(await contextOf(ctx, tx, user, due), placeOf))
  const parts = places.map(([place, part]) => ({ due: part, before: before.get(place) ?? [] }))
  const html = await fittingHtml(tx, parts.map(idsByImportance))
  const contents = parts.map(part => ({ ...commonOf(user, part.due), ...shownOf(ctx, user, part, { shown, html }) }))
  const addresses = await replyAddresses(
    ctx,
    tx,
    user.id,
    contents.map(({ conversation, newest }) => ({
      ...(conversation.type === 'direct' ? { people: conversation.userIds } : conversation),
      messageId: newest,
    })),
  )
  return contents.map(({ newest: _, ...content }, at) => ({ ...content, replyTo: addresses[at] ?? null }))
}

const placeOf = ({ channel_id, conversation_id, topic }: PlacedMessage): string =>
  channel_id === null ? `${conversation_id}` : `${channel_id} ${topicKey(topic)}`

/** Which setting keeps texts and names out of the mail. */
function hiddenBy({ directory }: Ctx, user: UserRow): 'account' | 'organization' | undefined {
  if (!realmSetting(directory, 'message_content_allowed_in_email_notifications')) return 'organization'
  return userSetting(user, 'message_content_in_email_notifications') ? undefined : 'account'
}

function commonOf(user: UserRow, due: readonly Due[]) {
  const reasons = new Set(due.map(one => one.reason))
  return {
    kind: 'missed_messages',
    missed: due.map(({ message }) => message.id),
    reason: missedReasons.find(reason => reasons.has(reason)) ?? 'channel',
    // An address has one account here, so the automatic policy needs no name.
    namesOrganization: userSetting(user, 'realm_name_in_email_notifications_policy') === 2,
    zone: user.timezone,
  } as const
}

/** The names of users as the reader may know them. */
async function namesFor({ directory }: Ctx, tx: Tx, user: UserRow): Promise<(userId: number) => string> {
  const known = await accessibleUsers(tx, directory, user)
  return id => (known === null || known.has(id) ? directory.users.get(id)?.full_name : undefined) ?? unknownName
}

/** What was said before the mentions among the messages, as far as the user may read it, without users that the user has muted. */
async function contextOf(ctx: Ctx, tx: Tx, user: UserRow, due: readonly Due[]): Promise<PlacedMessage[]> {
  const own = new Set(due.map(({ message }) => message.id))
  const mentions = due.filter(({ message, reason }) => reason === 'mention' && message.channel_id !== null)
  const ids = await messagesBefore(
    tx,
    mentions.map(({ message }) => message.id),
  )
  const others = ids.filter(id => !own.has(id))
  const seen = others.length === 0 ? [] : await placedMessages(tx, user.id, others)
  const muted = new Set(user.muted_users.map(({ id }) => id))
  return seen.filter(message => !muted.has(message.sender_id) && mayReadMessage(ctx.directory, user, message))
}

/** What came before a mention gives way first. */
const idsByImportance = ({ due, before }: Part): number[] => [
  ...due.map(({ message }) => message.id),
  ...before.map(({ id }) => id).reverse(),
]

interface Shown {
  readonly shown: (userId: number) => string
  /** Of the messages that fit into the mail. */
  readonly html: ReadonlyMap<number, string>
}

function shownOf(ctx: Ctx, user: UserRow, { due, before }: Part, { shown, html }: Shown) {
  const messages = [
    ...before.map(message => ({ message, isContext: true })),
    ...due.map(({ message }) => ({ message, isContext: false })),
  ]
    .filter(({ message }) => html.has(message.id))
    .sort((a, b) => a.message.id - b.message.id)
    .map(({ message: { id, sender_id, date_sent }, isContext }) => ({
      id,
      sender: shown(sender_id),
      time: Math.floor(date_sent.getTime() / 1000),
      html: html.get(id) ?? '',
      isContext,
    }))
  const missed = due.map(one => one.message)
  return {
    conversation: conversationOf(ctx, user, missed, shown),
    messages,
    others: missed.filter(({ id }) => !html.has(id)).length,
    newest: missed.at(-1)?.id ?? 0,
  }
}

function conversationOf(
  { directory }: Ctx,
  user: UserRow,
  messages: readonly PlacedMessage[],
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
