import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/driver/db.js'
import { conversationsBefore } from '../../store/messages/conversations.js'
import { channelsWithExpired, type RetentionLimit } from '../../store/messages/expired-messages.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { lockOldestOfChannel, lockOldestOfConversation } from '../../store/messages/message-edits.js'
import { deleteTogether } from '../messages/delete.js'
import { applyRetentionSettings, daysOfPlace, daysThatApply, directPlace, limitOf } from './terms.js'

const conversationsAtOnce = 100

/** Archives all messages that are older than their channel or the organization keeps them (docs/retention.md), or as many as it can until `signal` aborts. */
export async function removeExpired(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await applyRetentionSettings(ctx)
  const days = await daysThatApply(ctx)
  for (const id of await channelsWithExpired(ctx.sql, channelLimits(ctx, days), limits.delete_topic_batch)) {
    while (!signal?.aborted && (await removeFromChannel(ctx, id)) === limits.delete_topic_batch);
  }
  const before = limitOf(ctx, days.get(directPlace) ?? -1)
  if (!before) return
  for (let after = 0; ; ) {
    const due = await conversationsBefore(ctx.sql, before, after, conversationsAtOnce)
    for (const id of due)
      while (!signal?.aborted && (await removeFromConversation(ctx, id)) === limits.delete_topic_batch);
    if (signal?.aborted || due.length < conversationsAtOnce) return
    after = due.at(-1) ?? after
  }
}

const channelLimits = (ctx: Ctx, days: ReadonlyMap<number, number>): RetentionLimit[] =>
  [...days].flatMap(([channelId, kept]) => {
    const before = limitOf(ctx, kept)
    return channelId !== directPlace && before ? [{ channelId, before }] : []
  })

/** The time before which messages of the place are expired, by the settings that the transaction holds. The epoch: all are kept. */
const limitNow = async (ctx: Ctx, tx: Tx, place: number): Promise<Date> =>
  limitOf(ctx, await daysOfPlace(ctx, tx, place)) ?? new Date(0)

/** Archives the oldest messages of the channel that are too old, at most a batch; returns their number. */
function removeFromChannel(ctx: Ctx, channelId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    await holdChannels(tx, [channelId], 'update')
    const before = await limitNow(ctx, tx, channelId)
    const oldest = await lockOldestOfChannel(tx, channelId, limits.delete_topic_batch)
    const expired = oldest.filter(message => message.date_sent < before)
    if (expired.length === 0) return 0
    const where = { channel_id: channelId, conversation_id: null }
    await deleteTogether(ctx, tx, emit, { where, messages: expired, deleterId: null })
    for (const topic of new Set(expired.map(message => message.topic)))
      ctx.memory.knownTopics.forgetTopic({ channelId, topic })
    return expired.length
  })
}

/** The same for direct messages. */
function removeFromConversation(ctx: Ctx, conversationId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    const before = await limitNow(ctx, tx, directPlace)
    const oldest = await lockOldestOfConversation(tx, conversationId, limits.delete_topic_batch)
    const expired = oldest.filter(message => message.date_sent < before)
    if (expired.length === 0) return 0
    const messages = expired.map(({ id }) => ({ id, topic: '' }))
    const where = { channel_id: null, conversation_id: conversationId }
    await deleteTogether(ctx, tx, emit, { where, messages, deleterId: null })
    return expired.length
  })
}
