import type { EventOf } from '../../../shared/client/index.js'
import { conversationKey, placeKey } from '../../../shared/resources/place.js'
import type { ChatState } from './chat-state.js'

/** A typing notice expires after this time without repetition (a little more than shared/limits.ts typing_started_expiry_ms). */
const typingMs = 15_000

/** `typing`: a user started or stopped typing. `now` in ms. */
export function typingChanged(
  state: ChatState,
  { op, sender, recipients = [], stream_id, topic = '' }: EventOf<'typing'>,
  now: number,
): void {
  const people = recipients.map(one => one.user_id)
  const place = placeKey(
    stream_id === undefined ? { direct: conversationKey(people, state.user_id) } : { channelId: stream_id, topic },
  )
  const others = state.typists.filter(one => (one.userId !== sender.user_id || one.place !== place) && one.until > now)
  if (op === 'start' && sender.user_id !== state.user_id) {
    others.push({ userId: sender.user_id, place, until: now + typingMs })
  }
  state.typists = others
}
