import { topicKey } from '../../../shared/resources/topic.js'
import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import type { Moving, PolicyHolder } from '../../store/messages/movable-message.js'
import type { Parts } from '../../store/organization/outbox.js'
import { holdPolicies, policyParts, type Topic } from '../../store/topics/user-topics.js'
import { changePolicies, emitPolicies, type Policies } from '../topics/policies.js'
import type { Move, PropagateMode } from './plan-edit.js'

const { inherit, muted, unmuted, followed } = visibilityPolicy

interface Carried {
  readonly topic: Topic
  readonly wanted: Policies
  readonly before: Policies
}

interface MovedTopic {
  /** The topic before. */
  readonly topic: string
  readonly move: Move
  readonly moving: Moving
  readonly mode: PropagateMode
}

/**
 * When a whole topic moves, its visibility policies move along: emits the changes and returns what makes the parts of the statement that store them with
 * the move. The caller holds both channels.
 */
export async function carryPolicies(ctx: Ctx, tx: Tx, emit: Emit, moved: MovedTopic): Promise<(() => Parts) | null> {
  const carried = carriedPolicies(ctx.directory, moved).filter(({ wanted }) => wanted.size > 0)
  if (carried.length === 0) return null
  const mutes = ({ wanted, before }: Carried) => [...wanted.values(), ...before.values()].includes(muted)
  if (carried.some(mutes)) {
    // In statements of its own: an older event has the whole list of a user's muted topics, so these changes follow one another.
    await holdPolicies(tx, [...new Set(carried.flatMap(({ wanted }) => [...wanted.keys()]))])
    for (const one of carried) await changePolicies(ctx, tx, emit, one)
    return null
  }
  const at = new Date(ctx.clock.now())
  for (const { topic, wanted } of carried) emitPolicies(ctx, emit, { topic, wanted, at })
  return () => policyParts(tx, carried, at)
}

/**
 * If the topic joins another one, each user keeps the more visible of its two policies. Users who may not read the new channel lose theirs; users
 * who could not see the topic before keep their policy of the target.
 */
function carriedPolicies(directory: Directory, { topic, move, moving, mode }: MovedTopic): Carried[] {
  const from: Topic = { channelId: move.from.id, topic }
  const to: Topic = { channelId: move.to.id, topic: move.topic ?? topic }
  if (mode !== 'change_all' && moving.leaves_visible) return []
  const reads = (id: number, channel: Move['from'], isSubscribed: boolean): boolean => {
    const user = directory.users.get(id)
    return user !== undefined && mayReadChannel(directory, user, channel, isSubscribed)
  }
  const insiders = (moving.policies ?? []).filter(one => reads(one.user_id, move.from, one.is_subscribed))
  const movers = insiders.filter(one => reads(one.user_id, move.to, one.is_subscribed_there))
  const before = policies(insiders, 'here')
  // Only the spelling of the topic changed.
  const isSameTopic = from.channelId === to.channelId && topicKey(from.topic) === topicKey(to.topic)
  if (isSameTopic) return [{ topic: to, wanted: policies(movers, 'here'), before }]
  const there = new Map<number, VisibilityPolicy>()
  for (const one of movers) {
    const wanted = moving.is_topic_there ? louder(one.here, one.there) : one.here
    if (wanted !== one.there) there.set(one.user_id, wanted)
  }
  const gone = new Map([...before.keys()].map(id => [id, inherit] as const))
  return [
    { topic: from, wanted: gone, before },
    { topic: to, wanted: there, before: policies(insiders, 'there') },
  ]
}

/** Without users whose policy is `inherit`. */
const policies = (holders: readonly PolicyHolder[], which: 'here' | 'there'): Policies =>
  new Map(holders.flatMap(one => (one[which] === inherit ? [] : [[one.user_id, one[which]] as const])))

/** The policy after two topics become one; muted only if both were. */
function louder(one: VisibilityPolicy, other: VisibilityPolicy): VisibilityPolicy {
  if (one === other) return one
  if (one === followed || other === followed) return followed
  return one === unmuted || other === unmuted ? unmuted : inherit
}
