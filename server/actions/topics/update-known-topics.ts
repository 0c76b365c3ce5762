import { type DeleteMessagePayload, deleteMessageEvent } from '../../../shared/events/delete-message.js'
import { type UpdateMessagePayload, updateMessageEvent } from '../../../shared/events/update-message.js'
import { type UserTopicPayload, userTopicEvent } from '../../../shared/events/user-topic.js'
import type { KnownTopics } from '../../memory/known-topics.js'
import type { ReceivedEntry } from '../../realtime/realtime.js'

/** Updates this worker's cache of topics from the events of all workers. */
export function updateKnownTopics(known: KnownTopics, entry: ReceivedEntry): void {
  const { name, audience } = entry
  if (name === userTopicEvent.name) {
    const { stream_id, topic_name, visibility_policy } = entry.payload as UserTopicPayload
    known.correctPolicies({ channelId: stream_id, topic: topic_name }, audience.ids(), visibility_policy)
  } else if (name === deleteMessageEvent.name) {
    const { place } = entry.payload as DeleteMessagePayload
    if (place) known.forgetTopic({ channelId: place.stream_id, topic: place.topic })
  } else if (name === updateMessageEvent.name) {
    const { channel, move } = entry.payload as UpdateMessagePayload
    if (channel && move) known.forgetTopic({ channelId: channel.stream_id, topic: move.orig_subject })
  }
}
