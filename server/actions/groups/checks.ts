import { badRequest } from '../../../shared/errors.js'
import { findActiveGroup } from '../../lookups/find-group.js'
import type { Directory } from '../../memory/directory.js'

/** Ids without duplicates, ascending. @throws {ApiError} BAD_REQUEST for an id that is not an active user's. */
export function requireMembers(directory: Directory, userIds: readonly number[]): number[] {
  for (const id of userIds) {
    const user = directory.users.get(id)
    if (!user?.is_active || user.is_system_bot) throw badRequest(`Invalid user ID: ${id}`)
  }
  return ascending(userIds)
}

/** Ids without duplicates, ascending. @throws {ApiError} BAD_REQUEST for an id that is not an active group's. */
export function requireSubgroups(directory: Directory, groupIds: readonly number[]): number[] {
  for (const id of groupIds) findActiveGroup(directory, id)
  return ascending(groupIds)
}

/**
 * Names are unique, case-sensitively and including deactivated groups, and no two look alike. `ownId`: the group that gets the name; null:
 * a new one. @throws {ApiError} BAD_REQUEST
 */
export function requireFreeName(directory: Directory, name: string, ownId: number | null): void {
  if (directory.groupsByName.has(name)) throw badRequest(`User group '${name}' already exists.`)
  const other = directory.groupLike(name, ownId)
  if (other) throw badRequest(`The name '${name}' looks like the one of user group '${other.name}'.`)
}

export const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)
