import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { owner } from './allow.js'

/** Whether the user is the organization's only active owner. Bots do not count. */
export function isOnlyOwner(directory: Directory, user: UserRow): boolean {
  const isOwner = (one: UserRow) => one.role === owner && one.is_active && !one.is_bot
  return isOwner(user) && ![...directory.users.values()].some(one => one.id !== user.id && isOwner(one))
}
