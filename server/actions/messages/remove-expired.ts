import { limits } from '../../../shared/limits.js'
import type { Ctx } from '../../ctx.js'
import { realmSetting } from '../../policies/settings.js'
import { conversationsBefore } from '../../store/messages/conversations.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { lockOldestOfChannel, lockOldestOfConversation } from '../../store/messages/message-edits.js'
import { gather } from '../gather.js'
import { deleteTogether } from './delete.js'

const dayMs = 86_400_000
const conversationsAtOnce = 100

/** Deletes all messages that are older than their channel or the organization keeps them (docs/protocol/events.md#deleting-messages), or as many as it can until `signal` aborts. */
export async function removeExpired(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (const { id } of [...ctx.directory.channels.values()]) {
    if (daysOfChannel(ctx, id) === -1) continue
    while (!signal?.aborted && (await removeFromChannel(ctx, id)) === limits.delete_topic_batch);
  }
  if (daysOfOrganization(ctx) === -1) return
  for (let after = 0; ; ) {
    const due = await conversationsBefore(ctx.sql, limitOf(ctx, daysOfOrganization(ctx)), after, conversationsAtOnce)
    for (const id of due)
      while (!signal?.aborted && (await removeFromConversation(ctx, id)) === limits.delete_topic_batch);
    if (signal?.aborted || due.length < conversationsAtOnce) return
    after = due.at(-1) ?? after
  }
}

const daysOfOrganization = ({ directory }: Ctx): number => realmSetting(directory, 'message_retention_days')

/** -1: the channel keeps all messages, or does not exist any more. */
function daysOfChannel(ctx: Ctx, id: number): number {
  const channel = ctx.directory.channels.get(id)
  return channel ? (channel.message_retention_days ?? daysOfOrganization(ctx)) : -1
}

/** The time before which messages are expired. */
const limitOf = ({ clock }: Ctx, days: number): Date => new Date(days === -1 ? 0 : clock.now() - days * dayMs)

/** Deletes the oldest messages of the channel that are too old, at most a batch; returns their number. */
function removeFromChannel(ctx: Ctx, channelId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    await holdChannels(tx, [channelId], 'update')
    const before = limitOf(ctx, daysOfChannel(ctx, channelId))
    const oldest = await lockOldestOfChannel(tx, channelId, limits.delete_topic_batch)
    const expired = oldest.filter(message => message.date_sent < before)
    for (const [topic, messages] of gather(expired, message => message.topic)) {
      const ids = messages.map(message => message.id)
      await deleteTogether(ctx, tx, emit, {
        where: { channel_id: channelId, conversation_id: null, topic },
        ids,
        deleterId: null,
      })
      ctx.memory.knownTopics.forgetTopic({ channelId, topic })
    }
    return expired.length
  })
}

/** The same for direct messages. */
function removeFromConversation(ctx: Ctx, conversationId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await ctx.directory.hold(tx, 'share')
    const before = limitOf(ctx, daysOfOrganization(ctx))
    const oldest = await lockOldestOfConversation(tx, conversationId, limits.delete_topic_batch)
    const ids = oldest.filter(message => message.date_sent < before).map(message => message.id)
    if (ids.length === 0) return 0
    await deleteTogether(ctx, tx, emit, {
      where: { channel_id: null, conversation_id: conversationId, topic: '' },
      ids,
      deleterId: null,
    })
    return ids.length
  })
}
