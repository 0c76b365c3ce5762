import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { owners } from '../../policies/allow.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { lockOldestOfChannel } from '../../store/messages/message-edits.js'
import { deleteTogether } from '../messages/delete.js'

/**
 * Deletes all messages of an archived channel, oldest first, in batches with a transaction each; they go to the archive of messages. Can be repeated
 * after an interruption. Returns their number.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST for a channel that is in use
 */
export async function clearChannel(ctx: Ctx, actor: Actor, channelId: number): Promise<number> {
  let all = 0
  for (;;) {
    const cleared = await clearBatch(ctx, actor, channelId)
    all += cleared
    if (cleared < limits.delete_topic_batch) return all
  }
}

function clearBatch(ctx: Ctx, actor: Actor, channelId: number): Promise<number> {
  return ctx.write(async (tx, emit, { audit }) => {
    await ctx.directory.hold(tx, 'share')
    const user = currentUser(ctx.directory, actor.user)
    owners({ ...actor, user })
    await holdChannels(tx, [channelId], 'update')
    // It may have come back into use since the batch before.
    if (!ctx.directory.channels.get(channelId)?.is_archived) throw badRequest('The channel is not archived.')
    const oldest = await lockOldestOfChannel(tx, channelId, limits.delete_topic_batch)
    if (oldest.length > 0) {
      const where = { channel_id: channelId, conversation_id: null }
      await deleteTogether(ctx, tx, emit, { where, messages: oldest, deleterId: user.id })
      audit('channel/cleared', { subject: { stream_id: channelId }, before: null, after: { messages: oldest.length } })
    }
    return oldest.length
  })
}
