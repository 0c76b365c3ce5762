import { isMuted } from '../../../shared/events/unread.js'
import { type Place, placeKey, placeOf } from '../../../shared/resources/place.js'
import type { ChatState, Message } from './chat-state.js'
import type { Narrow } from './narrow.js'

/** The place of messages written in this view; undefined for a view of several places. */
export function placeOfNarrow(narrow: Narrow): Place | undefined {
  if (narrow.kind === 'direct') return { direct: narrow.key }
  if (narrow.kind === 'topic') return { channelId: narrow.channelId, topic: narrow.topic }
  return undefined
}

/** Whether a new message belongs to a view; undefined if only the server knows. */
export function matches(state: ChatState, narrow: Narrow, message: Message): boolean | undefined {
  const place = placeOf(message, state.user_id)
  switch (narrow.kind) {
    case 'recent':
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
    case 'inbox':
    case 'scheduled':
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
