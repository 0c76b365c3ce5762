import type { WorkerCtx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import type { Directory } from '../../memory/directory.js'
import type { SettledIds } from '../../memory/settled-ids.js'
import { type NotifyReason, type NotifyWay, notifyReason } from '../../policies/notify-reason.js'
import { mayReadMessage } from '../../policies/reading.js'
import type { Tx } from '../../store/driver/db.js'
import { advanceProgress, holdProgress, readUndecided } from '../../store/notify/progress.js'
import { type ReaderFacts, readerFacts } from '../../store/notify/reader-facts.js'
import { takeNewMentions, undecidedMessages } from '../../store/notify/undecided-messages.js'
import { pushJobs } from '../push/push-jobs.js'
import { answerWelcomes } from './answer-welcomes.js'
import { callBots } from './call-bots.js'
import { type Candidate, candidatesOf } from './candidates.js'
import { idleAmong } from './idle.js'
import { addMissedMails } from './missed-mails.js'

// A transaction decides on so many messages at most; others wait for its lock.
const messagesAtOnce = 500
// A message to a large channel may have thousands of candidates: the batch ends with the message that reaches this number.
const candidatesAtOnce = 50_000
// Each may be for a whole channel.
const editsAtOnce = 5

/** A user whose settings ask for a notification of a message. */
export interface Notified {
  readonly userId: number
  readonly messageId: number
  readonly reason: NotifyReason
  /** The user looks at no client (docs/protocol/notifications.md#idle). */
  readonly isIdle: boolean
}

/**
 * Decides, for messages and edits of which this was not decided yet, who is notified, in one transaction with what follows: each exactly
 * once, over all workers. It looks only at messages before which no insert is still running.
 * @returns `more`: further ones can be decided; `open`: transactions are open that may hold earlier messages; `nothing`: all are decided
 */
export async function decideNotifications(ctx: WorkerCtx, settled: SettledIds): Promise<'nothing' | 'more' | 'open'> {
  const { newest, xid, hasNewMentions } = await readUndecided(ctx.sql)
  if (xid !== null) settled.note({ id: newest, xid })
  else if (!hasNewMentions) return 'nothing'
  await ctx.directory.fresh()
  return ctx.write(async (tx, _, { after }) => {
    const { decided, xmin } = await holdProgress(tx)
    const upto = settled.newestIn(xmin)
    const range = { after: decided, upto, limit: messagesAtOnce }
    const messages = upto > decided ? await undecidedMessages(tx, range) : []
    const edited = hasNewMentions ? await takeNewMentions(tx, editsAtOnce) : []
    const { candidates, looked } = await candidatesOf(ctx, tx, messages, candidatesAtOnce)
    const ofEdits = await candidatesOf(ctx, tx, edited)
    await notify(ctx, tx, after, [...candidates, ...ofEdits.candidates])
    await answerWelcomes(ctx, tx, after, messages.slice(0, looked))
    await callBots(ctx, tx, after, messages.slice(0, looked))
    const isFull = looked < messages.length || looked === messagesAtOnce
    const end = isFull ? (messages[looked - 1]?.id ?? decided) : upto
    if (end > decided) await advanceProgress(tx, end)
    if (isFull || edited.length === editsAtOnce) return 'more'
    return upto < newest && decided < newest ? 'open' : 'nothing'
  })
}

async function notify(ctx: WorkerCtx, tx: Tx, after: After, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  const { email, push } = await notifiedAmong(ctx, tx, candidates)
  await addMissedMails(ctx, tx, after, email)
  await pushJobs(ctx, tx, after, push)
}

/** Those of the candidates whose settings ask for a notification, for each way. */
export async function notifiedAmong(
  ctx: WorkerCtx,
  tx: Tx,
  candidates: readonly Candidate[],
): Promise<Record<NotifyWay, Notified[]>> {
  const facts = new Map((await readerFacts(tx, candidates)).map(one => [`${one.message_id} ${one.user_id}`, one]))
  const wanting = candidates.flatMap(one => {
    const own = facts.get(`${one.messageId} ${one.userId}`)
    if (!own || own.is_read || !hasReached(ctx.directory, one, own)) return []
    const [email, push] = [reasonFor(one, own, 'email'), reasonFor(one, own, 'push')]
    return (email ?? push) ? { ...one, email, push } : []
  })
  const idle = await idleAmong(ctx, new Set(wanting.map(one => one.userId)))
  const of = (way: NotifyWay) =>
    wanting.flatMap(({ userId, messageId, [way]: reason }) =>
      reason ? { userId, messageId, reason, isIdle: idle.has(userId) } : [],
    )
  return { email: of('email'), push: of('push') }
}

/** Whether the user received the message; an edit reaches all subscribers who may read it. */
function hasReached(directory: Directory, { message, user }: Candidate, own: ReaderFacts): boolean {
  const { channel_id, isEdit } = message
  if (channel_id === null) return true
  return own.is_subscribed && (own.is_received || (isEdit && mayReadMessage(directory, user, { channel_id, ...own })))
}

/** Why the message notifies the user; null: it does not. */
function reasonFor({ message, user }: Candidate, own: ReaderFacts, way: NotifyWay): NotifyReason | null {
  const reason = notifyReason(user, way, {
    isDirect: message.channel_id === null,
    isMentioned: message.mentioned?.includes(user.id) ?? false,
    mentionsTopic: message.topic_mentioned?.includes(user.id) ?? false,
    mentionsChannel: message.mentions_channel,
    policy: own.policy,
    isChannelMuted: own.is_muted ?? false,
    ofChannel: {
      email: own.email_notifications,
      push: own.push_notifications,
      wildcard: own.wildcard_mentions_notify,
    },
  })
  // An edit notifies by what it adds: the message has notified by the rest.
  return message.isEdit && (reason === 'followed_topic' || reason === 'channel') ? null : reason
}
