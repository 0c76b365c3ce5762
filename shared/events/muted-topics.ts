import { z } from 'zod'
import { topicFor } from '../resources/topic.js'
import { type MutedTopic, mutedTopic } from '../resources/user-topic.js'
import { defineEvent } from './event.js'

export interface MutedTopicsPayload {
  readonly muted_topics: readonly MutedTopic[]
  readonly empty_topic_display_name: string
}

export const mutedTopicsEvent = defineEvent('muted_topics', {
  doc: 'The list of topics that the receiver muted changed. For clients without the other policies; queues that name user_topic do not get it.',
  fields: z.object({ muted_topics: z.array(mutedTopic) }),
  dependsOn: ['empty_topic_name', 'names_user_topic'],
  render({ muted_topics, empty_topic_display_name: name }: MutedTopicsPayload, view) {
    if (view.names_user_topic) return null
    return {
      muted_topics: muted_topics.map(
        ([channel, topic, since]) => [channel, topicFor(view, topic, name), since] as const,
      ),
    }
  },
  apply(state, event) {
    if (state.muted_topics) state.muted_topics = event.muted_topics
  },
})
