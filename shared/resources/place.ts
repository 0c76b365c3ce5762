import type { EventMessage } from './message.js'
import { topicKey } from './topic.js'

/** A channel and topic, or a direct conversation by its key. */
export type Place = { readonly channelId: number; readonly topic: string } | { readonly direct: string }

/** The key of a direct conversation: the ids of the other participants, ascending; the user's id for notes to itself. */
export function conversationKey(userIds: readonly number[], me: number): string {
  const others = [...new Set(userIds)].filter(id => id !== me).sort((a, b) => a - b)
  return (others.length > 0 ? others : [me]).join(',')
}

/** The ids in the key of a conversation. */
export const peopleOf = (key: string): number[] => key.split(',').map(Number)

/** The place of a message in the user's view. */
export function placeOf(
  { stream_id, subject, display_recipient }: Pick<EventMessage, 'stream_id' | 'subject' | 'display_recipient'>,
  me: number,
): Place {
  if (stream_id !== undefined) return { channelId: stream_id, topic: subject }
  const people = typeof display_recipient === 'string' ? [] : display_recipient
  return {
    direct: conversationKey(
      people.map(person => person.id),
      me,
    ),
  }
}

/** A unique key per place: topics that differ only in case are equal. */
export const placeKey = (place: Place): string =>
  'direct' in place ? `d${place.direct}` : `c${place.channelId}/${topicKey(place.topic)}`
