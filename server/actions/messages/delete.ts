import { deleteMessageEvent } from '../../../shared/events/delete-message.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { requireMayDelete } from '../../policies/message-edits.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { filesUsedBy } from '../../store/files/attachments.js'
import { deleteMessages } from '../../store/messages/message-edits.js'
import type { MessageRow } from '../../store/messages/messages.js'
import { removeUnused } from '../files/uses.js'
import { messageAccess } from './audience.js'
import { notifyFirstMessage } from './first-message.js'
import { holdMessage } from './hold-message.js'

/** @throws {ApiError} BAD_REQUEST */
export async function deleteMessage(ctx: Ctx, actor: Actor, messageId: number): Promise<void> {
  const { channel_id: channelId, topic } = await ctx.write(async (tx, emit) => {
    const { message, user } = await holdMessage(ctx, tx, actor, { messageId })
    requireMayDelete(ctx.directory, user, message, ctx.clock.now())
    await deleteTogether(ctx, tx, emit, { where: message, ids: [messageId], deleterId: user.id })
    return message
  })
  if (channelId !== null) ctx.memory.knownTopics.forgetTopic({ channelId, topic })
}

/**
 * Deletes messages of one topic or conversation and emits the deletion to all users who could see them, and to the deleting user
 * (null: the server). The caller holds the channel's row. `ids` ascending.
 */
export async function deleteTogether(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    where,
    ids,
    deleterId,
  }: {
    readonly where: Pick<MessageRow, 'channel_id' | 'conversation_id' | 'topic'>
    readonly ids: readonly number[]
    readonly deleterId: number | null
  },
): Promise<void> {
  const groups = await messageAccess(tx, ctx.directory, where, ids)
  const used = await filesUsedBy(tx, ids)
  await deleteMessages(tx, ids)
  await removeUnused(tx, emit, used)
  if (where.channel_id !== null) await notifyFirstMessage(ctx, tx, emit, where.channel_id)
  const place = where.channel_id === null ? undefined : { stream_id: where.channel_id, topic: where.topic }
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  const others = groups.map(group => ({ ...group, userIds: group.userIds.filter(id => id !== deleterId) }))
  const sameSight = others.find(group => group.messageIds.length === ids.length)
  const own = [...(sameSight?.userIds ?? []), ...(deleterId === null ? [] : [deleterId])].sort((a, b) => a - b)
  for (const { messageIds, userIds } of [
    ...others.filter(group => group !== sameSight),
    { messageIds: ids, userIds: own },
  ]) {
    emit(deleteMessageEvent, { message_ids: messageIds, place, empty_topic_display_name }, userIds)
  }
}
