import type { ISql } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { guestsWhoKnow, type UserRow, usersKnownTo } from '../store/users.js'
import { administrator, guest, member, moderator } from './allow.js'
import { isInGroup, realmGroup } from './groups.js'

/**
 * The address that a user has in the API, the same for every viewer: the real one only when everyone may see it
 * (docs/users.md#two-addresses; bots hide nothing).
 */
export function apiEmail(user: UserRow, realmHost: string): string {
  return user.is_bot || user.email_address_visibility === 1 ? user.delivery_email : dummyEmail(user.id, realmHost)
}

export const dummyEmail = (userId: number, realmHost: string): string => `user${userId}@${realmHost}`

// By email_address_visibility: the lowest role that sees the address (docs/users.md#two-addresses).
const leastRole: Readonly<Record<number, number>> = { 1: guest, 2: member, 3: administrator, 4: 0, 5: moderator }

/** The caller as the directory shows it now: its role may have changed since its key was looked at. */
export const currentUser = (directory: Directory, user: UserRow): UserRow => directory.users.get(user.id) ?? user

/** Whether an account of this role sees the user's real address. */
export function roleSeesEmail(role: number, user: UserRow): boolean {
  return user.is_bot || role <= (leastRole[user.email_address_visibility] ?? 0)
}

/** The user's real address, or null when the viewer (null: a visitor without an account) may not see it. */
export function deliveryEmailFor(viewer: UserRow | null, user: UserRow): string | null {
  if (user.is_bot || viewer?.id === user.id) return user.delivery_email
  return viewer && roleSeesEmail(viewer.role, user) ? user.delivery_email : null
}

/**
 * Guests see everybody only where can_access_all_users_group holds them; all others do anyway. Visitors without an
 * account get so little of a user that none is kept from them.
 */
export function seesAllUsers(directory: Directory, viewer: UserRow | null): boolean {
  if (!viewer || viewer.role !== guest) return true
  return isInGroup(directory, viewer.id, realmGroup(directory, 'can_access_all_users_group'))
}

/** Active guests who may know only some of the users; ids ascending. */
export function limitedGuests(directory: Directory): number[] {
  return directory.derived(limited)
}

function limited(directory: Directory): number[] {
  const guests = [...directory.users.values()].filter(user => user.is_active && user.role === guest)
  return guests.flatMap(user => (seesAllUsers(directory, user) ? [] : [user.id])).sort((a, b) => a - b)
}

/** The users whom a viewer may know: itself, bots, who is in one of its channels or has talked to it; null is everybody. */
export async function accessibleUsers(
  sql: ISql,
  directory: Directory,
  viewer: UserRow | null,
): Promise<ReadonlySet<number> | null> {
  if (!viewer || seesAllUsers(directory, viewer)) return null
  return new Set(await usersKnownTo(sql, viewer.id))
}

export async function mayAccessUser(
  sql: ISql,
  directory: Directory,
  viewer: UserRow | null,
  user: UserRow,
): Promise<boolean> {
  if (user.is_bot || user.id === viewer?.id || seesAllUsers(directory, viewer)) return true
  return (await accessibleUsers(sql, directory, viewer))?.has(user.id) ?? true
}

/** Active people and bots who may know the user: who is told of its changes. Ids ascending. */
export async function whoMayAccess(sql: ISql, directory: Directory, user: UserRow): Promise<number[]> {
  const kept = new Set(user.is_bot ? [] : limitedGuests(directory))
  kept.delete(user.id)
  if (kept.size > 0) for (const id of await guestsWhoKnow(sql, user.id, [...kept])) kept.delete(id)
  return directory.derived(activeUsers).filter(id => !kept.has(id))
}

/** Every account that can have a queue; ids ascending. */
export function activeUsers(directory: Directory): number[] {
  const ids: number[] = []
  for (const user of directory.users.values()) if (user.is_active && !user.is_system_bot) ids.push(user.id)
  return ids.sort((a, b) => a - b)
}
