import { streamedMessageEnd } from '../../../shared/events/streamed-message.js'
import type { EndReason } from '../../../shared/resources/streamed-message.js'
import type { Actor } from '../../auth/actor.js'
import type { Additions, WorkerCtx } from '../../ctx.js'
import { decideNotifications } from '../../job-types/notify.js'
import { streamedMessageKey } from '../../job-types/streamed-message.js'
import { requireUnarchived } from '../../policies/message-edits.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import { type Editable, editable } from '../../store/messages/editable-message.js'
import { openMessage, stillSame } from '../../store/messages/open-message.js'
import { newMentionsOf, storeEdit } from '../../store/messages/store-edit.js'
import { runParts } from '../../store/organization/outbox.js'
import { checkContent } from '../../text/content.js'
import { hasMore, renderContent, storeMore } from './edit-content.js'
import { holdMessage } from './hold-message.js'
import { emitUpdate } from './notify-edit.js'
import { audienceOf, openForChange } from './open-message.js'
import { flagsAfterEdit } from './reader-flags.js'
import { growthAudience, notGrowing } from './streamed-message.js'

/** What is stored when a message ends. */
interface End {
  readonly messageId: number
  readonly reason: EndReason
  /** Null: the server ends it. */
  readonly userId: number | null
  /** Undefined: it is lost. */
  readonly text: string | undefined
}

/**
 * Ends a message that grows: its author has said all, or a reader stops it. A request that the author repeats changes nothing.
 * @throws {ApiError} MESSAGE_NOT_GROWING, BAD_REQUEST
 */
export async function endGrowth(ctx: WorkerCtx, actor: Actor, messageId: number): Promise<void> {
  await ctx.directory.fresh()
  const { message, user } = await openForChange(ctx, ctx.sql, actor, { messageId })
  requireUnarchived(ctx.directory, message)
  const isAuthor = message.sender_id === user.id
  const marked = await ctx.streamedTexts.end(messageId, isAuthor ? 'finished' : 'stopped')
  const end: End = { messageId, reason: marked?.reason ?? 'lost', userId: user.id, text: marked?.text }
  const isEnded = await ctx.write(async (tx, emit, additions) => {
    await holdMessage(ctx, tx, { messageId, lock: 'update' })
    // I1: who removes the job ends the message.
    if ((await cancelJobs(tx, [streamedMessageKey(messageId)])) === 0) return false
    await storeEnd(ctx, { tx, emit, additions }, end)
    return true
  })
  if (isEnded) return ctx.streamedTexts.forget(messageId)
  if (!isAuthor || marked?.reason !== 'finished') throw notGrowing(marked?.reason ?? 'unknown')
}

/** As `endGrowth` by the server, in the transaction `write` that ends the job. */
export async function endSilent(
  ctx: WorkerCtx,
  messageId: number,
  write: (work: (tx: Tx, emit: Emit, additions: Additions) => Promise<void>) => Promise<void>,
): Promise<void> {
  const marked = await ctx.streamedTexts.end(messageId, 'silent')
  await write(async (tx, emit, additions) => {
    await holdMessage(ctx, tx, { messageId, lock: 'update' })
    const reason = marked?.reason ?? 'lost'
    await storeEnd(ctx, { tx, emit, additions }, { messageId, reason, userId: null, text: marked?.text })
  })
  await ctx.streamedTexts.forget(messageId)
}

interface Within {
  readonly tx: Tx
  readonly emit: Emit
  readonly additions: Additions
}

/** Stores and shows the whole text. The transaction holds the message. */
async function storeEnd(
  ctx: WorkerCtx,
  { tx, emit, additions }: Within,
  { messageId, reason, userId, text }: End,
): Promise<void> {
  const message = await openMessage<Editable>(tx, 0, messageId, editable(tx))
  const author = ctx.directory.users.get(message?.sender_id ?? 0)
  // It was deleted meanwhile.
  if (!message || !author) return
  const given = text === undefined || message.was_edited ? undefined : checkContent(text)
  if (given?.ok && given.text !== message.content) {
    const audience = await audienceOf(ctx, tx, message)
    const { topic } = message
    const content = await renderContent(ctx, tx, author, {
      message,
      content: given.text,
      audience,
      topic,
      refuses: false,
    })
    const at = new Date(ctx.clock.now())
    const plan = { content: given.text, move: null }
    const perUser = flagsAfterEdit(audience, message, content)
    const update = { message, user: null, plan, at, content, propagateMode: 'change_one' } as const
    emitUpdate(ctx, emit, update, { userIds: audience, messageIds: [messageId], perUser })
    if (hasMore(message, content)) await storeMore(tx, emit, additions.after, { message, content })
    // Like a new message, its text is no edit.
    const stored = { message, userId: author.id, at: null, content, move: null }
    const done = await runParts(tx, tx`${stillSame(tx, message, ctx.directory.version)}, ${storeEdit(tx, stored)}`)
    if (!done) throw new Error('a message that was held has changed')
    if (newMentionsOf(message, content)) ctx.jobs.wake(decideNotifications, 100)
  }
  const payload = { message_id: messageId, reason: message.was_edited ? 'edited' : reason, user_id: userId } as const
  emit(streamedMessageEnd, payload, await growthAudience(ctx, tx, message))
}
