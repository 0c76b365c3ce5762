import type { Directory } from '../store/directory/directory.js'

// A cache of derived values: it decides only whether an equal set is the same object.
const lastOf = new WeakMap<Directory, ReadonlySet<number>>()

/**
 * Ids of all deactivated users. The object stays the same while its content does, so values derived from it survive other changes of the
 * organization.
 */
export function inactiveUsers(directory: Directory): ReadonlySet<number> {
  return directory.derived(find)
}

function find(directory: Directory): ReadonlySet<number> {
  const found = new Set<number>()
  for (const user of directory.users.values()) if (!user.is_active) found.add(user.id)
  const last = lastOf.get(directory)
  if (last?.size === found.size && [...found].every(id => last.has(id))) return last
  lastOf.set(directory, found)
  return found
}
