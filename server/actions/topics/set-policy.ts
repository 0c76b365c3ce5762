import { badRequest } from '../../../shared/errors.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { readSubscription } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { countTopicsOfUser, holdPolicies, policiesOfTopic, type Topic } from '../../store/topics/user-topics.js'
import { changePolicies } from './policies.js'

/**
 * Sets the caller's visibility policy for a topic, which need not exist. A user who may no longer read the channel can still reset its
 * policy. @throws {ApiError} BAD_REQUEST for a channel that the caller may not read.
 */
export async function setPolicy(ctx: Ctx, actor: Actor, topic: Topic, policy: VisibilityPolicy): Promise<void> {
  const { directory } = ctx
  const { channelId } = topic
  await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'share')
    const user = currentUser(directory, actor.user)
    const channel = directory.channels.get(channelId)
    if (!channel) throw badRequest('Invalid channel ID')
    // Prevents a concurrent move of the topic, which would move its policies too.
    await holdChannels(tx, [channelId], 'share')
    const subscription = await readSubscription(tx, user.id, channelId)
    await holdPolicies(tx, [user.id])
    const before = await policiesOfTopic(tx, topic, [user.id])
    const mayTakeBack = policy === visibilityPolicy.inherit && (subscription !== null || before.size > 0)
    if (!mayTakeBack && !mayReadChannel(directory, user, channel, subscription?.is_active ?? false)) {
      throw badRequest('Invalid channel ID')
    }
    if (policy === (before.get(user.id) ?? visibilityPolicy.inherit)) return
    if (policy !== visibilityPolicy.inherit && before.size === 0) await requireRoom(tx, user.id)
    await changePolicies(ctx, tx, emit, { topic, wanted: new Map([[user.id, policy]]), before })
  })
  ctx.memory.knownTopics.notePolicies(topic, new Map([[actor.user.id, policy]]))
}

async function requireRoom(tx: Tx, userId: number): Promise<void> {
  const { most } = budgets.userTopics
  if ((await countTopicsOfUser(tx, userId)) >= most) {
    throw badRequest(`There may be at most ${most} topics with a visibility policy.`)
  }
}
