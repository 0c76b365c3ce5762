import { ApiError } from '../../shared/errors.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'

/** Nobody signs in to an organization that was deactivated. @throws {ApiError} REALM_DEACTIVATED */
export function requireActiveOrganization(directory: Directory): void {
  if (!directory.organization.is_active) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated')
  }
}

/** The account that proved to be who it says. @throws {ApiError} USER_DEACTIVATED */
export function requireActiveAccount(user: UserRow): void {
  if (!user.is_active) throw new ApiError('USER_DEACTIVATED', 'Your account has been deactivated')
}

export const authenticationFailed = () =>
  new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
