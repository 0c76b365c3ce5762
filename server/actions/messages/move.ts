import type { Attachment } from '../../../shared/resources/attachment.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { realmSetting } from '../../policies/settings.js'
import type { Tx } from '../../store/driver/db.js'
import { noteListChange } from '../../store/driver/directory-lease.js'
import { type Movable, type MovableMessage, movable } from '../../store/messages/movable-message.js'
import { movedMessages, storeEdit } from '../../store/messages/store-edit.js'
import { runParts } from '../../store/organization/outbox.js'
import { markGainedRead } from '../../store/reading/read-state.js'
import type { UserRow } from '../../store/users/users.js'
import { checkTopic } from '../../text/content.js'
import { type AccessGroup, messageAccess, usersOf } from './audience.js'
import { carryPolicies } from './carry-policies.js'
import { renderContent, storeMore } from './edit-content.js'
import { holdMessage } from './hold-message.js'
import { moveNotices } from './move-notices.js'
import { notifyEdit } from './notify-edit.js'
import { audienceOf, openForChange } from './open-message.js'
import { type EditPlan, type MessageEdit, planEdit } from './plan-edit.js'

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
    const { message, user, plan } = await openAndPlan(ctx, tx, actor, { messageId, edit })
    const { move } = plan
    const { moving } = message
    if (!moving || (!plan.content && !move)) return null
    const at = new Date(ctx.clock.now())
    const before = await accessBefore(ctx, tx, message)
    const audience = usersOf(before.filter(group => group.messageIds.includes(messageId)))
    const content =
      plan.content === null ? null : await renderContent(ctx, tx, user, { message, content: plan.content, audience })
    const detached = content ? await storeMore(tx, emit, after, { message, content }) : []
    const toId = move && move.to !== move.from ? move.to.id : null
    const moved = move && { ids: move.ids, channelId: toId, topic: move.topic }
    const stored = { message, userId: user.id, at, content, move: moved }
    const topic = { topic: message.topic, moving, mode: edit.propagateMode }
    const policies = move && (await carryPolicies(ctx, tx, emit, { ...topic, move }))
    const parts = tx`${movedMessages(tx, moving.ids)}, ${policies ? tx`${policies()},` : tx``} ${storeEdit(tx, stored)}`
    if (move && toId !== null) {
      // First, because who sees the messages in another channel, and with which flags, is read from there.
      noteListChange(tx)
      await runParts(tx, parts)
      await markGainedRead(tx, move.from.id, toId, move.ids)
    }
    await notifyEdit(ctx, tx, emit, { message, user, plan, at, content, before, propagateMode: edit.propagateMode })
    addNotices(after, moveNotices({ message, user, plan, moving, edit }))
    if (toId === null) await store(parts)
    return { message, move, detached }
  })
  // The message has this content already.
  if (!done) return []
  if (done.move) ctx.memory.knownTopics.forgetTopic({ channelId: done.move.from.id, topic: done.message.topic })
  return done.detached
}

/** The message with what the move needs, and the plan of the edit. @throws {ApiError} */
async function openAndPlan(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  { messageId, edit }: { readonly messageId: number; readonly edit: MessageEdit },
): Promise<{ message: MovableMessage; user: UserRow; plan: EditPlan }> {
  const { channelId = null, propagateMode: mode } = edit
  const open = (topic: string | null) =>
    openForChange<Movable>(ctx, tx, actor, { messageId, more: movable(tx, { mode, channelId, topic }) })
  const emptyName = realmSetting(ctx.directory, 'empty_topic_display_name')
  const given = edit.topic === undefined ? undefined : checkTopic(edit.topic, emptyName)
  // The plan refuses a topic that is not valid.
  const topic = given?.ok ? given.text : null
  const { message, user } = await open(topic)
  const plan = await planEdit(ctx, tx, { actor, user, message, edit })
  const planned = plan.move?.topic ?? null
  // The new topic has messages under an older form of its name.
  if (planned !== null && planned !== topic) return { ...(await open(planned)), plan }
  return { message, user, plan }
}

/** Who sees which of the messages before they move. */
async function accessBefore(ctx: Ctx, tx: Tx, message: MovableMessage): Promise<AccessGroup[]> {
  const { channel_id, moving } = message
  const messageIds = moving?.ids ?? [message.id]
  const channel = ctx.directory.channels.get(channel_id ?? 0)
  // Each user may have received others of them.
  if (channel && !channel.history_public_to_subscribers) return messageAccess(tx, ctx.directory, message, messageIds)
  const userIds = await audienceOf(ctx, tx, { ...message, holders: moving?.former?.slice() ?? null })
  return [{ userIds, messageIds }]
}
