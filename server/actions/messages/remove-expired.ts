import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import { logFailure } from '../../failures/log-failure.js'
import { holdChannels } from '../../store/message-audience.js'
import { lockOldestOfChannel } from '../../store/message-edits.js'
import { gather } from '../channels/gather.js'
import { deleteTogether } from './delete.js'

// A message stays some minutes longer than its channel's retention says.
const intervalMs = 600_000
const dayMs = 86_400_000

/** Deletes the messages whose channel keeps messages for a number of days, when it is over. Returns a function that stops it. */
export function startRemovingExpired(ctx: Ctx): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => removeExpired(ctx))
      .catch(error => logFailure(ctx, error, 'old messages were not deleted'))
  }, intervalMs)
  return () => {
    clearInterval(timer)
    return running
  }
}

/** Deletes all messages that are older than their channel keeps them (docs/protocol/events.md#deleting-messages). */
export async function removeExpired(ctx: Ctx): Promise<void> {
  for (const { id, message_retention_days: days } of [...ctx.directory.channels.values()]) {
    if (days === null || days <= 0) continue
    while ((await removeBatch(ctx, id)) === limits.delete_topic_batch);
  }
}

/** Deletes the oldest messages of the channel that are too old, at most a batch; returns their number. */
function removeBatch(ctx: Ctx, channelId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    await holdChannels(tx, [channelId], 'update')
    const days = ctx.directory.channels.get(channelId)?.message_retention_days ?? 0
    if (days <= 0) return 0
    const before = ctx.clock.now() - days * dayMs
    const oldest = await lockOldestOfChannel(tx, channelId, limits.delete_topic_batch)
    const expired = oldest.filter(message => message.date_sent.getTime() < before)
    for (const [topic, messages] of gather(expired, message => message.topic)) {
      const ids = messages.map(message => message.id)
      await deleteTogether(ctx, tx, emit, { channel_id: channelId, conversation_id: null, topic }, ids, null)
      ctx.knownTopics.forgetTopic({ channelId, topic })
    }
    return expired.length
  })
}
