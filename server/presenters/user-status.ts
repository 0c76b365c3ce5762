import type { UserStatus } from '../../shared/resources/user-status.js'
import type { Directory } from '../memory/directory.js'
import { userSetting } from '../policies/settings.js'
import type { StoredStatus, UserRow } from '../store/users/users.js'

/** The wire form of a user's status; `brand` is in the type of the extra emoji. */
export function userStatus(user: UserRow, brand: string): UserStatus {
  const isAway = !userSetting(user, 'presence_enabled')
  return { ...(isAway && { away: true }), ...statusParts(user.status, brand) }
}

/** The wire form of stored parts of a status. */
export function statusParts({ reaction_type, ...parts }: StoredStatus, brand: string): UserStatus {
  if (reaction_type === undefined) return parts
  return { ...parts, reaction_type: reaction_type === 'extra_emoji' ? `${brand}_extra_emoji` : reaction_type }
}

/** Whether the register answer contains a status of the user. */
export const hasStatus = (user: UserRow): boolean =>
  user.is_active && !user.is_bot && (!userSetting(user, 'presence_enabled') || Object.keys(user.status).length > 0)

/** All users with a status in the register answer. */
export const usersWithStatus = ({ users }: Directory): UserRow[] => [...users.values()].filter(hasStatus)
