import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { decideNotifications } from '../../job-types/notify.js'
import { wordStems } from '../../lookups/word-stems.js'
import type { Tx } from '../../store/driver/db.js'
import { noteListChange } from '../../store/driver/directory-lease.js'
import { type Editable, type EditableMessage, editable } from '../../store/messages/editable-message.js'
import { type Moving, readMoving } from '../../store/messages/movable-message.js'
import { movedMessages, newMentionsOf, storeEdit } from '../../store/messages/store-edit.js'
import { runParts } from '../../store/organization/outbox.js'
import { markGainedRead } from '../../store/reading/read-state.js'
import type { UserRow } from '../../store/users/users.js'
import { topicVector } from '../../text/search/vector.js'
import { type AccessGroup, messageAccess, usersOf } from './audience.js'
import { carryPolicies } from './carry-policies.js'
import { renderContent, storeMore } from './edit-content.js'
import { holdMessage } from './hold-message.js'
import { moveNotices } from './move-notices.js'
import { notifyEdit } from './notify-edit.js'
import { audienceOf, openForChange } from './open-message.js'
import { type EditPlan, type MessageEdit, moveOf, planEdit } from './plan-edit.js'

/**
 * Moves a message and others of its topic, and may give it new content. In a transaction, because only a lock of the channel keeps out new
 * messages of the topic.
 * @returns the author's files that no message uses any more
 * @throws {ApiError}
 */
export async function moveMessages(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  edit: MessageEdit,
): Promise<readonly Attachment[]> {
  const done = await ctx.write(async (tx, emit, { after, store }) => {
    const channelIds = edit.channelId === undefined ? [] : [edit.channelId]
    await holdMessage(ctx, tx, { messageId, channelIds, lock: 'place' })
    const opened = await openAndPlan(ctx, tx, actor, { messageId, edit })
    if (!opened) return null
    const { message, user, plan, moving } = opened
    const { move } = plan
    const at = new Date(ctx.clock.now())
    const before = await accessBefore(ctx, tx, message, moving)
    const audience = usersOf(before.filter(group => group.messageIds.includes(messageId)))
    const content =
      plan.content === null
        ? null
        : await renderContent(ctx, tx, user, {
            message,
            content: plan.content,
            audience,
            topic: move?.topic ?? message.topic,
          })
    const detached = content ? await storeMore(tx, emit, after, { message, content }) : []
    const toId = move && move.to !== move.from ? move.to.id : null
    const topicWords = move && move.topic !== null ? topicVector(move.topic, wordStems(ctx)) : null
    const moved = move && { ids: move.ids, channelId: toId, topic: move.topic, topicWords }
    const stored = { message, userId: user.id, at, content, move: moved }
    const topic = { topic: message.topic, moving, mode: edit.propagateMode }
    const policies = move && (await carryPolicies(ctx, tx, emit, { ...topic, move }))
    const parts = tx`${movedMessages(tx, moving.ids)}, ${policies ? tx`${policies()},` : tx``} ${storeEdit(tx, stored)}`
    if (move && toId !== null) {
      // First, because who sees the messages in another channel, and with which flags, is read from there.
      noteListChange(tx)
      if (!(await runParts(tx, parts))) throw notMoved()
      await markGainedRead(tx, move.from.id, toId, move.ids)
    }
    await notifyEdit(ctx, tx, emit, { message, user, plan, at, content, before, propagateMode: edit.propagateMode })
    addNotices(after, moveNotices(ctx.directory, { message, user, plan, moving, edit }))
    if (toId === null && !(await store(parts))) throw notMoved()
    return { message, move, detached, hasNewMentions: content !== null && newMentionsOf(message, content) !== null }
  })
  // The message has this content already.
  if (!done) return []
  if (done.hasNewMentions) ctx.jobs.wake(decideNotifications)
  if (done.move) ctx.memory.knownTopics.forgetTopic({ channelId: done.move.from.id, topic: done.message.topic })
  return done.detached
}

/** The transaction holds the messages: without an error its events would be lost with the move. */
const notMoved = () => new Error('a message that the transaction holds was not moved')

interface Opened {
  readonly message: EditableMessage
  readonly user: UserRow
  readonly plan: EditPlan
  readonly moving: Moving
}

/** The message with what the move needs, and the plan of the edit. Null: nothing changes. @throws {ApiError} */
async function openAndPlan(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  { messageId, edit }: { readonly messageId: number; readonly edit: MessageEdit },
): Promise<Opened | null> {
  const { channelId = null, propagateMode: mode } = edit
  const { message, user } = await openForChange<Editable>(ctx, tx, actor, { messageId, more: editable(tx) })
  const { content, move } = await planEdit(ctx, tx, { actor, user, message, edit })
  if (!content && !move) return null
  // After the check: a topic may be large.
  const moving = await readMoving(tx, user.id, messageId, { mode, channelId, topic: move?.topic ?? null })
  return {
    message,
    user,
    plan: { content, move: move && moveOf(ctx, move, { messageId, moving, propagateMode: mode }) },
    moving,
  }
}

/** Who sees which of the messages before they move. */
async function accessBefore(
  ctx: Ctx,
  tx: Tx,
  message: EditableMessage,
  { ids: messageIds, former }: Moving,
): Promise<AccessGroup[]> {
  const channel = ctx.directory.channels.get(message.channel_id ?? 0)
  // Each user may have received others of them.
  if (channel && !channel.history_public_to_subscribers) return messageAccess(tx, ctx.directory, message, messageIds)
  const userIds = await audienceOf(ctx, tx, { ...message, holders: former?.slice() ?? null })
  return [{ userIds, messageIds }]
}
