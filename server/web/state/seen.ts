import { addUnread, isMention, removeUnread } from '../../../shared/events/unread.js'
import { placeOf } from '../../../shared/resources/place.js'
import type { ChatState } from './chat-state.js'

/** Marks messages as read before the server knows of it. */
export function noteSeen(state: ChatState, ids: readonly number[]): void {
  for (const id of ids) state.messages[id]?.flags.push('read')
  removeUnread(state, new Set(ids))
  state.seen = [...state.seen, ...ids]
}

/** The server knows that these messages are read. */
export function forgetSeen(state: ChatState, ids: readonly number[]): void {
  const known = new Set(ids)
  state.seen = state.seen.filter(id => !known.has(id))
}

/** The server refused: the messages are unread again, and are reported when the user sees them again. */
export function undoSeen(state: ChatState, ids: readonly number[]): void {
  forgetSeen(state, ids)
  for (const id of ids) {
    const message = state.messages[id]
    if (!message) continue
    message.flags = message.flags.filter(flag => flag !== 'read')
    const place = placeOf(message, state.user_id)
    addUnread(state, id, place, isMention(state, message.flags, place))
  }
}
