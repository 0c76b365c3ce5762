import type { UserRow } from '../store/users/users.js'

// The roles of a user; a smaller number permits more (docs/protocol/permissions.md#roles).
export const owner = 100
export const administrator = 200
export const moderator = 300
export const member = 400
export const guest = 600

type HasRole = Pick<UserRow, 'role'>

export const isOwner = ({ role }: HasRole): boolean => role === owner
/** Owners are administrators, too. */
export const isAdministrator = ({ role }: HasRole): boolean => role <= administrator
/** Owners and administrators are moderators, too. */
export const isModerator = ({ role }: HasRole): boolean => role <= moderator
export const isGuest = ({ role }: HasRole): boolean => role === guest
