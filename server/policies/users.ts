import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { isInGroup, realmGroup } from './groups.js'
import { administrator, guest, isGuest, member, moderator } from './roles.js'

// The lowest role that sees the address, by email_address_visibility (docs/users.md#two-addresses).
const leastRole: Readonly<Record<number, number>> = { 1: guest, 2: member, 3: administrator, 4: 0, 5: moderator }

/** Whether an account of this role sees the user's real address. */
export function roleSeesEmail(role: number, user: UserRow): boolean {
  return user.is_bot || role <= (leastRole[user.email_address_visibility] ?? 0)
}

/** The user's real address, or null when the viewer (null: a spectator) may not see it. */
export function deliveryEmailFor(viewer: UserRow | null, user: UserRow): string | null {
  if (!viewer) return null
  return viewer.id === user.id || roleSeesEmail(viewer.role, user) ? user.delivery_email : null
}

/**
 * A guest knows all users only as a member of can_access_all_users_group; other roles always do. Visitors without an account see so few
 * fields of a user that no user is hidden from them.
 */
export function seesAllUsers(directory: Directory, viewer: UserRow | null): boolean {
  if (!viewer || !isGuest(viewer)) return true
  return isInGroup(directory, viewer.id, realmGroup(directory, 'can_access_all_users_group'))
}

/** Ids of active guests who may know only some users, ascending. */
export function limitedGuests(directory: Directory): number[] {
  return directory.derived(limited)
}

function limited(directory: Directory): number[] {
  const guests = [...directory.users.values()].filter(user => user.is_active && isGuest(user))
  return guests.flatMap(user => (seesAllUsers(directory, user) ? [] : [user.id])).sort((a, b) => a - b)
}

/** Ids of active administrators and owners, bots of these roles too, ascending. */
export function activeAdministrators(directory: Directory): number[] {
  return activeUsers(directory).filter(id => (directory.users.get(id)?.role ?? guest) <= administrator)
}

/** Ids of all accounts that can have a queue, ascending. */
export function activeUsers(directory: Directory): number[] {
  const ids: number[] = []
  for (const user of directory.users.values()) if (user.is_active && !user.is_system_bot) ids.push(user.id)
  return ids.sort((a, b) => a - b)
}
