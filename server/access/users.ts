import type { ISql } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { guestsWhoKnow, type UserRow, usersKnownTo } from '../store/users.js'
import { administrator, guest, member, moderator } from './allow.js'
import { isInGroup, realmGroup } from './groups.js'

/**
 * The user's address in the API, the same for every viewer: the real one only if all viewers may see it (docs/users.md#two-addresses; a
 * bot's address is never hidden).
 */
export function apiEmail(user: UserRow, realmHost: string): string {
  return user.is_bot || user.email_address_visibility === 1 ? user.delivery_email : dummyEmail(user.id, realmHost)
}

export const dummyEmail = (userId: number, realmHost: string): string => `user${userId}@${realmHost}`

// The lowest role that sees the address, by email_address_visibility (docs/users.md#two-addresses).
const leastRole: Readonly<Record<number, number>> = { 1: guest, 2: member, 3: administrator, 4: 0, 5: moderator }

/** The caller's present row in the directory: its role may have changed since authentication. */
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
 * A guest knows all users only as a member of can_access_all_users_group; other roles always do. Visitors without an account see so few
 * fields of a user that no user is hidden from them.
 */
export function seesAllUsers(directory: Directory, viewer: UserRow | null): boolean {
  if (!viewer || viewer.role !== guest) return true
  return isInGroup(directory, viewer.id, realmGroup(directory, 'can_access_all_users_group'))
}

/** Ids of active guests who may know only some users, ascending. */
export function limitedGuests(directory: Directory): number[] {
  return directory.derived(limited)
}

function limited(directory: Directory): number[] {
  const guests = [...directory.users.values()].filter(user => user.is_active && user.role === guest)
  return guests.flatMap(user => (seesAllUsers(directory, user) ? [] : [user.id])).sort((a, b) => a - b)
}

/** The users whom a viewer may know: itself, bots, members of its channels and participants of its conversations; null: all users. */
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

/** Ids of active users who may know the user, ascending: the audience of its changes. */
export async function whoMayAccess(sql: ISql, directory: Directory, user: UserRow): Promise<number[]> {
  const kept = new Set(user.is_bot ? [] : limitedGuests(directory))
  kept.delete(user.id)
  if (kept.size > 0) for (const id of await guestsWhoKnow(sql, user.id, [...kept])) kept.delete(id)
  return directory.derived(activeUsers).filter(id => !kept.has(id))
}

/** Ids of all accounts that can have a queue, ascending. */
export function activeUsers(directory: Directory): number[] {
  const ids: number[] = []
  for (const user of directory.users.values()) if (user.is_active && !user.is_system_bot) ids.push(user.id)
  return ids.sort((a, b) => a - b)
}
