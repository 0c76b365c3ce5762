import { type Place, placeKey, placeOf } from '../../../shared/resources/place.js'
import type { ChatState, Feed } from './chat-state.js'
import { unreadOfTopic } from './unread.js'

/** A topic or conversation by its newest message. */
export interface RecentPlace {
  readonly key: string
  readonly place: Place
  readonly newestId: number
  /** The newest senders, the last one first. */
  readonly senderIds: readonly number[]
  readonly unread: number
}

// More faces say little.
const mostSenders = 5

/** The topics and conversations of the messages of a view, the newest first. */
export function recentPlaces(state: ChatState, feed: Feed): RecentPlace[] {
  const found = new Map<string, RecentPlace & { senderIds: number[] }>()
  for (const id of feed.ids.toReversed()) {
    const message = state.messages[id]
    if (!message) continue
    const place = placeOf(message, state.user_id)
    const key = placeKey(place)
    const known = found.get(key)
    if (!known)
      found.set(key, { key, place, newestId: id, senderIds: [message.sender_id], unread: unreadAt(state, place) })
    else if (known.senderIds.length < mostSenders && !known.senderIds.includes(message.sender_id))
      known.senderIds.push(message.sender_id)
  }
  return [...found.values()]
}

const unreadAt = (state: ChatState, place: Place): number =>
  'direct' in place
    ? (state.unread_msgs.direct[place.direct]?.length ?? 0)
    : unreadOfTopic(state, place.channelId, place.topic)
