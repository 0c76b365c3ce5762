import { type LegacyPresence, legacyPresence, type Presence } from '../../../shared/resources/presence.js'
import { apiEmail } from '../../access/users.js'
import type { UserRow } from '../../store/users.js'

export function modernPresences(users: ReadonlyMap<UserRow, Presence>): Record<string, Presence> {
  return Object.fromEntries([...users].map(([user, presence]) => [user.id, presence]))
}

export function legacyPresences(
  users: ReadonlyMap<UserRow, Presence>,
  realmHost: string,
): Record<string, LegacyPresence> {
  return Object.fromEntries([...users].map(([user, presence]) => [apiEmail(user, realmHost), legacyPresence(presence)]))
}
