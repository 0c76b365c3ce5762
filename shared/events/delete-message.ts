import { z } from 'zod'
import { topicFor } from '../resources/topic.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'
import { removeUnread } from './unread.js'

const fields = z.object({
  message_type: z.enum(['private', 'stream']),
  message_ids: z.array(z.int()).optional().describe('Only with `bulk_message_deletion`; ascending.'),
  message_id: z.int().optional().describe('Only without `bulk_message_deletion`: one event for each message.'),
  stream_id: z.int().optional().describe('Only of messages in a channel.'),
  topic: z.string().optional().describe('Only of messages in a channel.'),
})

export interface DeleteMessagePayload {
  /** Ascending; all in one topic or one direct conversation. */
  readonly message_ids: readonly number[]
  /** Absent for a direct conversation. */
  readonly place?: { readonly stream_id: number; readonly topic: string }
  readonly empty_topic_display_name: string
}

export const deleteMessageEvent = defineEvent('delete_message', {
  doc: 'Messages were deleted, or moved to a place that the user may not read. Clients without `bulk_message_deletion` get one event per message.',
  fields,
  dependsOn: ['bulk_message_deletion', 'empty_topic_name'],
  render({ message_ids, place, empty_topic_display_name }: DeleteMessagePayload, view) {
    const where = place
      ? {
          message_type: 'stream' as const,
          stream_id: place.stream_id,
          topic: topicFor(view, place.topic, empty_topic_display_name),
        }
      : { message_type: 'private' as const }
    if (view.bulk_message_deletion) return { message_ids, ...where }
    return message_ids.map(message_id => ({ message_id, ...where }))
  },
  width: ({ message_ids }) => message_ids.length,
  apply: applyDeleteMessage,
})

export function applyDeleteMessage(state: ClientState, event: z.output<typeof fields>): void {
  const ids = deletedIds(event)
  removeUnread(state, ids)
  if (state.starred_messages) state.starred_messages = state.starred_messages.filter(id => !ids.has(id))
}

/** The deleted messages, in either form of the event. */
export const deletedIds = ({ message_ids, message_id }: z.output<typeof fields>): ReadonlySet<number> =>
  new Set(message_ids ?? (message_id === undefined ? [] : [message_id]))
