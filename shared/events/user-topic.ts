import { topicFor, topicKey } from '../resources/topic.js'
import { sortUserTopics, type UserTopic, type VisibilityPolicy, visibilityPolicy } from '../resources/user-topic.js'
import { defineEvent } from './event.js'
import { recountUnread } from './unread-state.js'

export interface UserTopicPayload {
  readonly stream_id: number
  readonly topic_name: string
  /** UNIX seconds. */
  readonly last_updated: number
  readonly visibility_policy: VisibilityPolicy
  readonly empty_topic_display_name: string
}

export const userTopicEvent = defineEvent<UserTopicPayload>('user_topic', {
  doc: 'What the receiver wants of a topic changed; policy 0: nothing special any more.',
  dependsOn: ['empty_topic_name'],
  render: ({ empty_topic_display_name, ...topic }, view) => ({
    ...topic,
    topic_name: topicFor(view, topic.topic_name, empty_topic_display_name),
  }),
  apply(state, { stream_id, topic_name, last_updated, visibility_policy }) {
    const topics = state.user_topics as UserTopic[] | undefined
    if (!topics) return
    const changed = { stream_id, topic_name, last_updated, visibility_policy } as UserTopic
    const isIt = (one: UserTopic) =>
      one.stream_id === stream_id && topicKey(one.topic_name) === topicKey(changed.topic_name)
    const others = topics.filter(one => !isIt(one))
    state.user_topics =
      changed.visibility_policy === visibilityPolicy.inherit ? others : sortUserTopics([...others, changed])
    recountUnread(state)
  },
})
