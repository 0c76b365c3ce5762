import { topicKey } from '../../../shared/resources/topic.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import type { Emit } from '../../realtime/emission.js'
import { subscribedAmong } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import type { MovableMessage, Moving } from '../../store/messages/movable-message.js'
import { holdPolicies, type Topic } from '../../store/topics/user-topics.js'
import { changePolicies, type Policies } from '../topics/policies.js'
import type { Move, PropagateMode } from './plan-edit.js'

const { inherit, unmuted, followed } = visibilityPolicy

/**
 * When a whole topic moves, its visibility policies move along. If the topic joins another one, each user keeps the more visible of its two
 * policies. Users who may not read the new channel lose theirs; users who could not see the topic before keep their policy of the target.
 * The caller holds both channels. In statements of its own, because the events of a policy name all muted topics of its user.
 */
export async function carryPolicies(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { message, move, moving, mode }: { message: MovableMessage; move: Move; moving: Moving; mode: PropagateMode },
): Promise<void> {
  const from: Topic = { channelId: move.from.id, topic: message.topic }
  const to: Topic = { channelId: move.to.id, topic: move.topic ?? message.topic }
  const before = policiesIn(moving.policies)
  const isSameTopic = from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic)
  const beforeThere = isSameTopic ? before : policiesIn(moving.policies_there)
  if (before.size === 0 && beforeThere.size === 0) return
  if (mode !== 'change_all' && moving.leaves_visible) return
  const { movers, losers } = await concerned(ctx, tx, move, new Set([...before.keys(), ...beforeThere.keys()]))
  await holdPolicies(tx, [...movers, ...losers])
  // Only the spelling of the topic changed.
  if (isSameTopic) return changePolicies(ctx, tx, emit, { topic: to, wanted: only(before, movers), before })
  const there = new Map<number, VisibilityPolicy>()
  for (const id of movers) {
    const now = beforeThere.get(id) ?? inherit
    const wanted = moving.is_topic_there ? louder(before.get(id) ?? inherit, now) : (before.get(id) ?? inherit)
    if (wanted !== now) there.set(id, wanted)
  }
  const gone = [...movers, ...losers].filter(id => before.has(id))
  await changePolicies(ctx, tx, emit, { topic: from, wanted: new Map(gone.map(id => [id, inherit])), before })
  await changePolicies(ctx, tx, emit, { topic: to, wanted: there, before: beforeThere })
}

const policiesIn = (policies: Moving['policies']): Policies =>
  new Map(Object.entries(policies ?? {}).map(([id, policy]) => [Number(id), policy]))

/** Users who can read the former channel: `movers` can read the new one too, `losers` cannot. */
async function concerned({ directory }: Ctx, tx: Tx, { from, to }: Move, userIds: ReadonlySet<number>) {
  const rows = await subscribedAmong(tx, [...userIds], [from.id, to.id])
  const subscribed = new Set(rows.map(row => `${row.user_id} ${row.channel_id}`))
  const reads = (id: number, channel: Move['from']): boolean => {
    const user = directory.users.get(id)
    return user !== undefined && mayReadChannel(directory, user, channel, subscribed.has(`${id} ${channel.id}`))
  }
  const insiders = [...userIds].filter(id => reads(id, from))
  return { movers: insiders.filter(id => reads(id, to)), losers: insiders.filter(id => !reads(id, to)) }
}

const only = (policies: Policies, userIds: readonly number[]): Map<number, VisibilityPolicy> =>
  new Map(userIds.flatMap(id => (policies.has(id) ? [[id, policies.get(id) as VisibilityPolicy] as const] : [])))

/** The policy after two topics become one; muted only if both were. */
function louder(one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy {
  if (one === other) return one
  if (one === followed || other === followed) return followed
  return one === unmuted || other === unmuted ? unmuted : inherit
}
