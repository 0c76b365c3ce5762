import type { z } from 'zod'
import { topicFor } from '../resources/topic.js'
import { userTopic } from '../resources/user-topic.js'
import { type ClientState, setUserTopic } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'

const fields = userTopic

export type UserTopicPayload = FieldsOf<typeof fields> & { readonly empty_topic_display_name: string }

export const userTopicEvent = defineEvent('user_topic', {
  doc: "The receiver's visibility policy for a topic changed; 0: the policy was removed.",
  fields,
  dependsOn: ['empty_topic_name'],
  render: ({ empty_topic_display_name, ...topic }: UserTopicPayload, view) => ({
    ...topic,
    topic_name: topicFor(view, topic.topic_name, empty_topic_display_name),
  }),
  apply: applyUserTopic,
})

export function applyUserTopic(
  state: ClientState,
  { stream_id, topic_name, last_updated, visibility_policy }: z.output<typeof fields>,
): void {
  setUserTopic(state, { stream_id, topic_name, last_updated, visibility_policy })
}
