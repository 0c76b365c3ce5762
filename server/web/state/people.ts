import type { UserObject } from '../../../shared/resources/user.js'
import type { ChatState } from './chat-state.js'

/** A user that this one sees, also a deactivated one, or one of the server's own bots. */
export const personOf = (state: ChatState, id: number): UserObject | undefined =>
  state.realm_users[id] ?? state.realm_non_active_users[id] ?? state.cross_realm_bots[id]

/** All users and bots that can get direct messages. */
export const activePeople = (state: ChatState): UserObject[] => [
  ...Object.values(state.realm_users),
  ...Object.values(state.cross_realm_bots),
]

/** Whether this user has muted the other one: the messages of that one are hidden, and already read. */
export const isMutedPerson = (state: ChatState, id: number): boolean => state.muted_users.some(one => one.id === id)

/** Seconds after the last report until a user counts as offline (shared/limits.ts presence_offline_threshold_secs). */
const offlineSeconds = 200

export function presenceOf(state: ChatState, userId: number, now: number): 'active' | 'idle' | 'offline' {
  const known = state.presences[userId]
  const ago = (timestamp: number) => now / 1000 - timestamp
  if (!known) return 'offline'
  if (ago(known.active_timestamp) < offlineSeconds) return 'active'
  return ago(known.idle_timestamp) < offlineSeconds ? 'idle' : 'offline'
}
