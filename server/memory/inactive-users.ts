import type { Directory } from './directory.js'

/**
 * Ids of all deactivated users. The object stays the same while its content does, so values derived from it survive other changes of the
 * organization.
 *
 * Source: the users of the directory.
 * Version: the generation of the directory.
 * Bound: the number of users.
 * Dropped: replaced in the next generation.
 */
export function inactiveUsers(directory: Directory): ReadonlySet<number> {
  return directory.derived(find)
}

function find(directory: Directory, last: ReadonlySet<number> | undefined): ReadonlySet<number> {
  const found = new Set<number>()
  for (const user of directory.users.values()) if (!user.is_active) found.add(user.id)
  return last?.size === found.size && [...found].every(id => last.has(id)) ? last : found
}
