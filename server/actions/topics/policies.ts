import { mutedTopicsEvent } from '../../../shared/events/muted-topics.js'
import { userTopicEvent } from '../../../shared/events/user-topic.js'
import { type MutedTopic, type VisibilityPolicy, visibilityPolicy } from '../../../shared/resources/user-topic.js'
import type { Ctx } from '../../ctx.js'
import { mutedTopicsByUser } from '../../lookups/muted-topics.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { storePolicies, type Topic } from '../../store/topics/user-topics.js'

export type Policies = ReadonlyMap<number, VisibilityPolicy>

/**
 * Stores users' new visibility policies for a topic and emits to each user its own. `before`: the present policies, without users whose
 * policy is `inherit`.
 */
export async function changePolicies(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { topic, wanted, before }: { readonly topic: Topic; readonly wanted: Policies; readonly before: Policies },
): Promise<void> {
  if (wanted.size === 0) return
  const at = new Date(ctx.clock.now())
  await storePolicies(tx, topic, wanted, at)
  const { muted } = visibilityPolicy
  const muters = [...wanted].flatMap(([id, policy]) => (policy === muted || before.get(id) === muted ? [id] : []))
  await notifyMutedTopics(ctx, tx, emit, muters)
  emitPolicies(ctx, emit, { topic, wanted, at })
}

/** Emits to each user its own new policy. */
export function emitPolicies(
  ctx: Ctx,
  emit: Emit,
  { topic, wanted, at }: { readonly topic: Topic; readonly wanted: Policies; readonly at: Date },
): void {
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  for (const visibility_policy of Object.values(visibilityPolicy)) {
    const userIds = [...wanted].flatMap(([id, policy]) => (policy === visibility_policy ? [id] : []))
    const last_updated = Math.floor(at.getTime() / 1000)
    const payload = { stream_id: topic.channelId, topic_name: topic.topic, last_updated, visibility_policy }
    emit(
      userTopicEvent,
      { ...payload, empty_topic_display_name },
      userIds.sort((a, b) => a - b),
    )
  }
}

async function notifyMutedTopics(ctx: Ctx, tx: Tx, emit: Emit, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const lists = await mutedTopicsByUser(tx, ctx.directory, userIds)
  for (const id of userIds) emitMutedTopics(ctx, emit, id, lists.get(id) ?? [])
}

/** The older event (muted_topics) contains the whole list, so each user gets a separate event. */
export function emitMutedTopics(ctx: Ctx, emit: Emit, userId: number, muted_topics: MutedTopic[]): void {
  const empty_topic_display_name = realmSetting(ctx.directory, 'empty_topic_display_name')
  emit(mutedTopicsEvent, { muted_topics, empty_topic_display_name }, [userId])
}
