import type { ChatState, Person, Presence, WireEvent } from './chat-state.js'
import { conversationKey } from './conversation.js'
import { placeKey } from './place.js'

export const personFrom = (given: Person & { is_active?: boolean }): Person => ({
  user_id: given.user_id,
  full_name: given.full_name,
  email: given.email,
  is_bot: given.is_bot,
  is_guest: given.is_guest,
  role: given.role,
  is_active: given.is_active ?? true,
})

/** `realm_user`: a user was added, changed, or is no longer visible to this user. */
export function personChanged(state: ChatState, event: WireEvent): void {
  const person = event.person as Partial<Person> & { user_id: number; new_email?: string }
  if (event.op === 'add') state.people[person.user_id] = personFrom(person as Person)
  const known = state.people[person.user_id]
  if (event.op !== 'update' || !known) return
  if (person.full_name !== undefined) known.full_name = person.full_name
  if (person.is_active !== undefined) known.is_active = person.is_active
  if (person.new_email !== undefined) known.email = person.new_email
  if (person.role !== undefined) {
    known.role = person.role
    known.is_guest = person.role === 600
  }
}

/** `presence`: users became active. */
export function presenceChanged(state: ChatState, event: WireEvent): void {
  Object.assign(state.presences, event.presences as Record<string, Presence> | undefined)
}

interface TypingEvent {
  op: 'start' | 'stop'
  message_type: 'direct' | 'stream'
  sender: { user_id: number }
  recipients?: { user_id: number }[]
  stream_id?: number
  topic?: string
}

/** A typing notice expires after this time without repetition (a little more than shared/limits.ts typing_started_expiry_ms). */
const typingMs = 15_000

/** `typing`: a user started or stopped typing. `now` in ms. */
export function typingChanged(state: ChatState, event: WireEvent, now: number): void {
  const { op, sender, recipients, stream_id, topic } = event as unknown as TypingEvent
  const people = recipients?.map(one => one.user_id) ?? []
  const place = placeKey(
    stream_id === undefined
      ? { direct: conversationKey(people, state.me) }
      : { channelId: stream_id, topic: topic ?? '' },
  )
  const others = state.typists.filter(one => (one.userId !== sender.user_id || one.place !== place) && one.until > now)
  if (op === 'start' && sender.user_id !== state.me) {
    others.push({ userId: sender.user_id, place, until: now + typingMs })
  }
  state.typists = others
}

/** Seconds after the last report until a user counts as offline (shared/limits.ts presence_offline_threshold_secs). */
const offlineSeconds = 200

export function presenceOf(state: ChatState, userId: number, now: number): 'active' | 'idle' | 'offline' {
  const known = state.presences[userId]
  const ago = (timestamp: number) => now / 1000 - timestamp
  if (!known) return 'offline'
  if (ago(known.active_timestamp) < offlineSeconds) return 'active'
  return ago(known.idle_timestamp) < offlineSeconds ? 'idle' : 'offline'
}
