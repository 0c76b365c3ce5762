import { badRequest } from '../../../shared/errors.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mutedTopicsAmong } from '../../lookups/muted-topics.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { type OpenedPolicy, openPolicy, stillPolicy, storePolicy } from '../../store/topics/own-policy.js'
import { holdPolicies, type Topic } from '../../store/topics/user-topics.js'
import type { UserRow } from '../../store/users/users.js'
import { writeAtOnce } from '../write-at-once.js'
import { emitMutedTopics, emitPolicies } from './policies.js'

const { inherit, muted } = visibilityPolicy
const unknownChannel = () => badRequest('Invalid channel ID')

/**
 * Sets the caller's visibility policy for a topic, which need not exist. A user who may no longer read the channel can still reset its
 * policy. @throws {ApiError} BAD_REQUEST for a channel that the caller may not read.
 */
export async function setPolicy(ctx: Ctx, actor: Actor, topic: Topic, wanted: VisibilityPolicy): Promise<void> {
  const { directory } = ctx
  const { channelId } = topic
  const userId = actor.user.id
  await writeAtOnce(ctx, {
    async hold(tx) {
      await directory.hold(tx, 'share')
      // Prevents a concurrent move of the topic, which would move its policies too.
      await holdChannels(tx, [channelId], 'share')
      await holdPolicies(tx, [userId])
    },
    async prepare(sql, emit) {
      const at = new Date(ctx.clock.now())
      const opened = await openPolicy(sql, userId, topic, { wanted, at })
      if (!opened) throw unknownChannel()
      const user = currentUser(directory, actor.user)
      requireMaySet(ctx, user, { channelId, wanted, opened })
      const before = opened.policy ?? inherit
      if (wanted === before) return null
      if (before === inherit) requireRoom(opened.count)
      if (wanted === muted || before === muted) {
        emitMutedTopics(ctx, emit, userId, mutedTopicsAmong(directory, user, opened.muted))
      }
      emitPolicies(ctx, emit, { topic, wanted: new Map([[userId, wanted]]), at })
      return (within, organizationVersion) => {
        const checked = stillPolicy(within, userId, { channelId, organizationVersion }, opened)
        return within`${checked}, ${storePolicy(within, topic, { wanted, at })}`
      }
    },
  })
  ctx.memory.knownTopics.notePolicies(topic, new Map([[userId, wanted]]))
}

interface Wish {
  readonly channelId: number
  readonly wanted: VisibilityPolicy
  readonly opened: OpenedPolicy
}

function requireMaySet({ directory }: Ctx, user: UserRow, { channelId, wanted, opened }: Wish): void {
  const channel = directory.channels.get(channelId)
  const mayTakeBack = wanted === inherit && (opened.is_subscribed !== null || opened.policy !== null)
  if (!channel) throw unknownChannel()
  if (!mayTakeBack && !mayReadChannel(directory, user, channel, opened.is_subscribed ?? false)) throw unknownChannel()
}

function requireRoom(count: number): void {
  const { most } = budgets.userTopics
  if (count >= most) throw badRequest(`There may be at most ${most} topics with a visibility policy.`)
}
