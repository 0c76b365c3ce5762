import { z } from 'zod'
import { topicFor } from '../../../shared/resources/topic.js'
import { mutedTopic, sortUserTopics, userTopic } from '../../../shared/resources/user-topic.js'
import { mutedTopicsByUser } from '../../lookups/muted-topics.js'
import { realmSetting } from '../../policies/settings.js'
import { topicsOfUser } from '../../store/topics/user-topics.js'
import type { StatePiece } from '../state-piece.js'

const userTopicsPiece: StatePiece = {
  fetchType: 'user_topic',
  fields: { user_topics: z.array(userTopic) },
  async read({ ctx, actor, tx, options: { view } }) {
    if (!actor) return { user_topics: [] }
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    const rows = await topicsOfUser(tx, actor.user.id)
    const topics = rows.map(({ channel_id, topic, last_updated, visibility_policy }) => ({
      stream_id: channel_id,
      topic_name: topicFor(view, topic, displayName),
      last_updated: Math.floor(last_updated.getTime() / 1000),
      visibility_policy,
    }))
    return { user_topics: sortUserTopics(topics) }
  },
}

const mutedTopicsPiece: StatePiece = {
  fetchType: 'muted_topics',
  fields: { muted_topics: z.array(mutedTopic).describe('Deprecated: see `user_topics`.') },
  async read({ ctx, actor, tx, options: { view } }) {
    if (!actor) return { muted_topics: [] }
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    const lists = await mutedTopicsByUser(tx, ctx.directory, [actor.user.id])
    const muted = lists.get(actor.user.id) ?? []
    return {
      muted_topics: muted.map(([channel, topic, since]) => [channel, topicFor(view, topic, displayName), since]),
    }
  },
}

export const topicState: readonly StatePiece[] = [userTopicsPiece, mutedTopicsPiece]
