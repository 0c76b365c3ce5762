import {
  type KnownPresence,
  type LegacyPresence,
  legacyPresence,
  type Presence,
} from '../../../shared/resources/presence.js'
import { apiEmail } from '../../presenters/addresses.js'
import type { UserRow } from '../../store/users/users.js'

export function modernPresences(users: ReadonlyMap<UserRow, KnownPresence>): Record<string, Presence> {
  return Object.fromEntries([...users].map(([user, presence]) => [user.id, modernPresence(presence)]))
}

function modernPresence({ active_timestamp, idle_timestamp }: KnownPresence): Presence {
  return { active_timestamp, idle_timestamp }
}

export function legacyPresences(
  users: ReadonlyMap<UserRow, KnownPresence>,
  realmHost: string,
): Record<string, LegacyPresence> {
  return Object.fromEntries([...users].map(([user, presence]) => [apiEmail(user, realmHost), legacyPresence(presence)]))
}
