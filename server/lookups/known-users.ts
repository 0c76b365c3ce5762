import type { Directory } from '../memory/directory.js'
import { activeUsers, limitedGuests, seesAllUsers } from '../policies/users.js'
import type { ISql } from '../store/driver/db.js'
import { guestsWhoKnow, type UserRow, usersKnownTo } from '../store/users/users.js'

/** The users that a viewer may see: itself, bots, members of its channels and participants of its conversations; null: all users. */
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

/** Ids of those viewers who may see the user: at most one statement. */
export async function viewersWhoKnow(
  sql: ISql,
  directory: Directory,
  viewers: readonly UserRow[],
  user: UserRow,
): Promise<ReadonlySet<number>> {
  const isSure = (viewer: UserRow) => user.is_bot || user.id === viewer.id || seesAllUsers(directory, viewer)
  const unsure = viewers.filter(viewer => !isSure(viewer)).map(viewer => viewer.id)
  const guests = unsure.length === 0 ? [] : await guestsWhoKnow(sql, user.id, unsure)
  return new Set([...viewers.filter(isSure).map(viewer => viewer.id), ...guests])
}

/** Ids of active users who may know the user, ascending: the audience of its changes. */
export async function whoMayAccess(sql: ISql, directory: Directory, user: UserRow): Promise<number[]> {
  const kept = new Set(user.is_bot ? [] : limitedGuests(directory))
  kept.delete(user.id)
  if (kept.size > 0) for (const id of await guestsWhoKnow(sql, user.id, [...kept])) kept.delete(id)
  return directory.derived(activeUsers).filter(id => !kept.has(id))
}
