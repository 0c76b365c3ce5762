import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { noteListChange } from '../../store/driver/directory-lease.js'
import { type Editable, editable } from '../../store/messages/editable-message.js'
import { movedMessages, storeEdit } from '../../store/messages/store-edit.js'
import { runParts } from '../../store/organization/outbox.js'
import { markGainedRead } from '../../store/reading/read-state.js'
import { messageAccess, usersOf } from './audience.js'
import { carryPolicies } from './carry-policies.js'
import { renderContent, storeMore } from './edit-content.js'
import { holdMessage } from './hold-message.js'
import { moveNotices } from './move-notices.js'
import { notifyEdit } from './notify-edit.js'
import { openForChange } from './open-message.js'
import { type MessageEdit, planEdit } from './plan-edit.js'

/**
 * Moves a message and others of its topic, and may give it new content, in one transaction.
 * @returns the author's files that no message uses any more
 * @throws {ApiError}
 */
export async function moveMessages(
  ctx: Ctx,
  actor: Actor,
  messageId: number,
  edit: MessageEdit,
): Promise<readonly Attachment[]> {
  const done = await ctx.write(async (tx, emit, { after }) => {
    const targets = edit.channelId === undefined ? [] : [edit.channelId]
    await holdMessage(ctx, tx, { messageId, channelIds: targets, lock: 'place' })
    const { message, user } = await openForChange<Editable>(ctx, tx, actor, { messageId, more: editable(tx) })
    const plan = await planEdit(ctx, tx, { actor, user, message, edit })
    if (!plan.content && !plan.move) return null
    const { move } = plan
    const at = new Date(ctx.clock.now())
    const ids = move?.ids ?? [messageId]
    const before = await messageAccess(tx, ctx.directory, message, ids)
    const audience = usersOf(before.filter(group => group.messageIds.includes(messageId)))
    const content =
      plan.content === null ? null : await renderContent(ctx, tx, user, { message, content: plan.content, audience })
    const detached = content ? await storeMore(tx, emit, after, { message, content }) : []
    const channelId = move && move.to !== move.from ? move.to.id : null
    if (channelId !== null) noteListChange(tx)
    const stored = { message, userId: user.id, at, content, move: move && { ids, channelId, topic: move.topic } }
    await runParts(tx, tx`${movedMessages(tx, ids)}, ${storeEdit(tx, stored)}`)
    if (move && channelId !== null) await markGainedRead(tx, move.from.id, channelId, ids)
    if (move) await carryPolicies(ctx, tx, emit, { message, user, move, mode: edit.propagateMode })
    await notifyEdit(ctx, tx, emit, { message, user, plan, at, content, before, propagateMode: edit.propagateMode })
    addNotices(after, await moveNotices(tx, { message, user, plan, edit }))
    return { message, move, detached }
  })
  // The message has this content already.
  if (!done) return []
  if (done.move) ctx.memory.knownTopics.forgetTopic({ channelId: done.move.from.id, topic: done.message.topic })
  return done.detached
}
