import { badRequest } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import { visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { administrators } from '../../policies/allow.js'
import type { Emit } from '../../realtime/emission.js'
import type { RequestSignal } from '../../realtime/realtime.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { lockNewestOfTopic } from '../../store/messages/message-edits.js'
import {
  holdPolicies,
  policiesOfTopic,
  policyHoldersWithoutMessages,
  type Topic,
} from '../../store/topics/user-topics.js'
import { changePolicies } from '../topics/policies.js'
import { deleteTogether } from './delete.js'

/**
 * Deletes the messages of a topic that the caller can see, newest first, in batches with a transaction each. The topic may grow meanwhile:
 * it is done when a batch finds no further message. @returns false if the time limit or `signal` stopped it before
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function removeTopic(
  ctx: Ctx,
  actor: Actor,
  topic: Topic,
  signal: Pick<RequestSignal, 'aborted'>,
): Promise<boolean> {
  const end = ctx.clock.now() + ctx.config.deleteTopicSeconds * 1000
  for (;;) {
    const isDone = await ctx.write((tx, emit) => removeBatch(ctx, tx, emit, { actor, topic }))
    ctx.memory.knownTopics.forgetTopic(topic)
    if (isDone) return true
    if (signal.aborted || ctx.clock.now() >= end) return false
  }
}

/** Returns true when no message is left. */
async function removeBatch(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { actor, topic }: { readonly actor: Actor; readonly topic: Topic },
): Promise<boolean> {
  const { channelId } = topic
  await ctx.directory.hold(tx, 'share')
  // Checked per batch: the caller may have lost the permission in between.
  const user = currentUser(ctx.directory, actor.user)
  administrators({ ...actor, user })
  await holdChannels(tx, [channelId], 'update')
  const { channel } = await findChannel(ctx, tx, actor, { channelId })
  if (channel.is_archived) throw badRequest('Invalid channel ID')
  const receivedBy = channel.history_public_to_subscribers ? null : user.id
  const found = await lockNewestOfTopic(tx, topic, limits.delete_topic_batch + 1, receivedBy)
  const batch = found.slice(-limits.delete_topic_batch)
  const newest = batch.at(-1)
  if (newest) {
    const where = { channel_id: channelId, conversation_id: null }
    const messages = batch.map(({ id }) => ({ id, topic: newest.topic }))
    await deleteTogether(ctx, tx, emit, { where, messages, deleterId: user.id })
  }
  if (found.length > batch.length) return false
  await forgetPolicies(ctx, tx, emit, { channel, topic })
  return true
}

/** Resets the visibility policies of users who can see no message of the topic any more (docs/protocol/events.md#deleting-messages). */
async function forgetPolicies(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { channel, topic }: { readonly channel: ChannelRow; readonly topic: Topic },
): Promise<void> {
  const before = await policiesOfTopic(tx, topic, null)
  if (before.size === 0) return
  await holdPolicies(tx, [...before.keys()])
  const isForAll = channel.history_public_to_subscribers
  const userIds = isForAll ? [...before.keys()] : await policyHoldersWithoutMessages(tx, topic)
  const wanted = new Map(userIds.map(id => [id, visibilityPolicy.inherit] as const))
  await changePolicies(ctx, tx, emit, { topic, wanted, before })
}
