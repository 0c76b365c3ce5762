import { topicFor } from '../resources/topic.js'
import { defineEvent } from './event.js'
import { removeUnread } from './unread-state.js'

export interface DeleteMessagePayload {
  /** Ascending; all in one topic or one direct conversation. */
  readonly message_ids: readonly number[]
  /** Absent for a direct conversation. */
  readonly place?: { readonly stream_id: number; readonly topic: string }
  readonly empty_topic_display_name: string
}

export const deleteMessageEvent = defineEvent<DeleteMessagePayload>('delete_message', {
  doc: 'Messages are gone, or moved to where the user may not follow. Clients that never declared bulk_message_deletion read one event per message.',
  dependsOn: ['bulk_message_deletion', 'empty_topic_name'],
  width: ({ message_ids }) => message_ids.length,
  render({ message_ids, place, empty_topic_display_name }, view) {
    const where = place
      ? {
          message_type: 'stream',
          stream_id: place.stream_id,
          topic: topicFor(view, place.topic, empty_topic_display_name),
        }
      : { message_type: 'private' }
    if (view.bulk_message_deletion) return { message_ids, ...where }
    return message_ids.map(message_id => ({ message_id, ...where }))
  },
  apply(state, event) {
    const ids = new Set((event.message_ids as number[] | undefined) ?? [event.message_id as number])
    removeUnread(state, ids)
    if (state.starred_messages) {
      state.starred_messages = (state.starred_messages as number[]).filter(id => !ids.has(id))
    }
  },
})
