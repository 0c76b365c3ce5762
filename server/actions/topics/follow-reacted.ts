import { type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import type { Emit } from '../../realtime/emission.js'
import { readSubscription } from '../../store/channels/subscriptions.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { holdPolicies, policiesOfTopic, type Topic } from '../../store/topics/user-topics.js'
import type { UserRow } from '../../store/users/users.js'
import { act, automaticPolicy, isRaised } from './automatic-policies.js'
import { changePolicies } from './policies.js'

/**
 * A reaction or an act on a widget counts as participating in the topic; the caller emits its own event afterwards. Uses no query if the
 * user's settings give no policy for that.
 */
export async function followReacted(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { user, topic }: { readonly user: UserRow; readonly topic: Topic },
): Promise<void> {
  const wanted = await wantedFor(tx, user, topic)
  if (wanted === visibilityPolicy.inherit) return
  await holdPolicies(tx, [user.id])
  const before = await policiesOfTopic(tx, topic, [user.id])
  if (!isRaised(before.get(user.id) ?? visibilityPolicy.inherit, wanted)) return
  await changePolicies(ctx, tx, emit, { topic, wanted: new Map([[user.id, wanted]]), before })
}

/** Whether `followReacted` would change the user's policy. `isMuted`: whether the user muted the channel. */
export async function followsReacted(
  sql: ISql,
  { user, topic, isMuted }: { readonly user: UserRow; readonly topic: Topic; readonly isMuted: boolean },
): Promise<boolean> {
  const wanted = automaticPolicy(user, isMuted, act.participates)
  if (wanted === visibilityPolicy.inherit) return false
  const before = await policiesOfTopic(sql, topic, [user.id])
  return isRaised(before.get(user.id) ?? visibilityPolicy.inherit, wanted)
}

/** Reads the subscription only if the policy depends on whether the channel is muted. */
async function wantedFor(tx: Tx, user: UserRow, { channelId }: Topic): Promise<VisibilityPolicy> {
  const [unmuted, muted] = [false, true].map(isMuted => automaticPolicy(user, isMuted, act.participates))
  if (unmuted === muted) return unmuted ?? visibilityPolicy.inherit
  const subscription = await readSubscription(tx, user.id, channelId)
  const isMuted = subscription?.is_active === true && subscription.is_muted
  return (isMuted ? muted : unmuted) ?? visibilityPolicy.inherit
}
