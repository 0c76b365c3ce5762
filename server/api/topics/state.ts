import { z } from 'zod'
import { topicFor } from '../../../shared/resources/topic.js'
import { mutedTopic, sortUserTopics, userTopic } from '../../../shared/resources/user-topic.js'
import { currentUser } from '../../lookups/find-user.js'
import { mutedTopicsAmong } from '../../lookups/muted-topics.js'
import { realmSetting } from '../../policies/settings.js'
import { topicsOfUser } from '../../store/topics/user-topics.js'
import type { StatePiece } from '../state-piece.js'

const userTopicsPiece: StatePiece = {
  fetchType: 'user_topic',
  fields: { user_topics: z.array(userTopic) },
  selects: [topicsOfUser],
  async read({ ctx, actor, rows, options: { view } }) {
    if (!actor) return { user_topics: [] }
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    const topics = rows.of(topicsOfUser).map(({ channel_id, topic, last_updated, visibility_policy }) => ({
      stream_id: channel_id,
      topic_name: topicFor(view, topic, displayName),
      last_updated,
      visibility_policy,
    }))
    return { user_topics: sortUserTopics(topics) }
  },
}

const mutedTopicsPiece: StatePiece = {
  fetchType: 'muted_topics',
  fields: { muted_topics: z.array(mutedTopic).describe('Deprecated: see `user_topics`.') },
  selects: [topicsOfUser],
  async read({ ctx, actor, rows, options: { view } }) {
    if (!actor) return { muted_topics: [] }
    const displayName = realmSetting(ctx.directory, 'empty_topic_display_name')
    const muted = mutedTopicsAmong(ctx.directory, currentUser(ctx.directory, actor.user), rows.of(topicsOfUser))
    return {
      muted_topics: muted.map(([channel, topic, since]) => [channel, topicFor(view, topic, displayName), since]),
    }
  },
}

export const topicState: readonly StatePiece[] = [userTopicsPiece, mutedTopicsPiece]
