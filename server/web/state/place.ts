import { topicKey } from '../../../shared/resources/topic.js'
import type { ChatState, Message } from './chat-state.js'
import { conversationKey } from './conversation.js'
import type { Narrow } from './narrow.js'

/** The channel and topic, or the direct conversation, of a message. */
export type Place = { readonly channelId: number; readonly topic: string } | { readonly direct: string }

export function placeOf(message: Message, me: number): Place {
  if (message.stream_id !== undefined) return { channelId: message.stream_id, topic: message.subject }
  const people = message.display_recipient as { id: number }[]
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

/** The place of messages written in this view; undefined for a view of several places. */
export function placeOfNarrow(narrow: Narrow): Place | undefined {
  if (narrow.kind === 'direct') return { direct: narrow.key }
  if (narrow.kind === 'topic') return { channelId: narrow.channelId, topic: narrow.topic }
  return undefined
}

/** Whether a topic is muted for the user: its own policy decides, otherwise the channel's setting. */
export function isMuted(state: ChatState, channelId: number, topic: string): boolean {
  const policy = state.topicPolicies[channelId]?.[topicKey(topic)]
  if (policy !== undefined) return policy === 1
  return state.subscriptions[channelId]?.is_muted === true
}

/** Whether a new message belongs to a view; undefined if only the server knows. */
export function matches(state: ChatState, narrow: Narrow, message: Message): boolean | undefined {
  const place = placeOf(message, state.me)
  switch (narrow.kind) {
    case 'all':
      return 'direct' in place || !isMuted(state, place.channelId, place.topic)
    case 'mentions':
      return message.flags.some(flag => mentionFlags.has(flag))
    case 'starred':
      return message.flags.includes('starred')
    case 'channel':
      return !('direct' in place) && place.channelId === narrow.channelId
    case 'topic':
    case 'direct':
      return placeKey(place) === placeKey(placeOfNarrow(narrow) as Place)
    case 'search':
      return undefined
  }
}

export const mentionFlags: ReadonlySet<string> = new Set([
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
])
