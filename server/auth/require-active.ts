import { ApiError } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'

/** @throws {ApiError} REALM_DEACTIVATED if the organization is deactivated. */
export function requireActiveOrganization(directory: Directory): void {
  if (!directory.organization.is_active) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated')
  }
}

/** Throws unless the account, whose credentials were right, is active. @throws {ApiError} USER_DEACTIVATED */
export function requireActiveAccount(user: UserRow): void {
  if (!user.is_active) throw new ApiError('USER_DEACTIVATED', 'Your account has been deactivated')
}

export const authenticationFailed = () =>
  new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
