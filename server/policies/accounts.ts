import { ApiError, badRequest } from '../../shared/errors.js'
import {
  type AccountChange,
  accessObstacle,
  deactivationObstacle,
  roleObstacle,
} from '../../shared/resources/account-rights.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { isAdministrator, isOwner } from './roles.js'
import { realmSetting } from './settings.js'

// Who may change or deactivate an account (docs/protocol/permissions.md#users).

const ownersOnly = () => new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')

/** Administrators may change all users, other callers their own bots. */
export const mayChangeUser = (caller: UserRow, user: UserRow): boolean =>
  caller.is_active && (isAdministrator(caller) || ownsBot(caller, user))

export const ownsBot = (caller: UserRow, user: UserRow): boolean => user.bot_owner_id === caller.id

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function requireMayChangeRole(directory: Directory, caller: UserRow, user: UserRow, role: number): void {
  switch (roleObstacle(changeOf(directory, caller, user), role)) {
    case undefined:
      return
    case 'administrator':
      throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
    case 'owner':
      throw ownersOnly()
    case 'onlyOwner':
      throw badRequest('The owner permission cannot be removed from the only organization owner.')
    case 'guest':
      throw badRequest('Guests cannot be organization administrators')
  }
}

const changeOf = (directory: Directory, caller: UserRow, user: UserRow): AccountChange => ({
  caller: caller.role,
  role: user.role,
  isOnlyOwner: isOnlyOwner(directory, user),
})

/** Owners with the right from the operator may change other users' addresses. @throws {ApiError} BAD_REQUEST */
export function requireMayChangeEmails(caller: UserRow): void {
  if (!isOwner(caller) || !caller.can_change_user_emails) {
    throw badRequest('User not authorized to change user emails')
  }
}

/**
 * Administrators may deactivate users, but only owners may deactivate owners, and the last owner stays.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export function requireMayDeactivate(directory: Directory, caller: UserRow, user: UserRow): void {
  const obstacle = deactivationObstacle(changeOf(directory, caller, user))
  if (obstacle === 'administrator' || !caller.is_active) throw badRequest('Insufficient permission')
  if (obstacle === 'owner') throw ownersOnly()
  if (obstacle) throw badRequest('Cannot deactivate the only organization owner')
}

/** An account whose quota for files the caller may read and change. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export function accountWithQuota({ users }: Pick<Directory, 'users'>, caller: UserRow, id: number): UserRow {
  const user = users.get(id)
  if (!user || user.is_system_bot || user.is_deleted) throw badRequest('No such user')
  requireMayChangeAccess(caller, user)
  return user
}

/** A user that this owner may erase. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export function erasableUser(directory: Directory, caller: UserRow, id: number): UserRow {
  if (!isOwner(caller)) throw ownersOnly()
  const user = directory.users.get(id)
  if (!user || user.is_system_bot) throw badRequest('No such user')
  if (user.id === caller.id) throw badRequest('Another owner has to erase your account.')
  if (!user.is_bot) requireMayDeactivate(directory, caller, user)
  return user
}

/**
 * Administrators may end the sessions of a person, give it a new password and remove its second factors, of an owner only owners.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL
 */
export function requireMayChangeAccess(caller: UserRow, user: UserRow): void {
  const obstacle = accessObstacle({ caller: caller.role, role: user.role })
  if (obstacle === 'owner') throw ownersOnly()
  if (obstacle || !caller.is_active)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
}

/**
 * Users may deactivate their own account, except the last owner.
 * @throws {ApiError} CANNOT_DEACTIVATE_LAST_USER
 */
export function requireMayLeave(directory: Directory, user: UserRow): void {
  if (!isOnlyOwner(directory, user)) return
  const entity = 'the only organization owner'
  throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', `You cannot deactivate ${entity}.`, { is_last_owner: true, entity })
}

/** Owners may reactivate all accounts, administrators those that are no owners, other callers their own bots. @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export function requireMayReactivate(caller: UserRow, user: UserRow | undefined): void {
  if (!user || user.is_system_bot) throw badRequest('No such user')
  if (!mayChangeUser(caller, user)) throw badRequest('Insufficient permission')
  if (isOwner(user) && !user.is_bot && !isOwner(caller)) throw ownersOnly()
}

/** The active owners who are people. */
export const activeOwners = ({ users }: Pick<Directory, 'users'>): UserRow[] =>
  [...users.values()].filter(one => isOwner(one) && one.is_active && !one.is_bot)

/** The active administrators and owners who are people. */
export const activeAdministrators = ({ users }: Pick<Directory, 'users'>): UserRow[] =>
  [...users.values()].filter(one => isAdministrator(one) && one.is_active && !one.is_bot)

/** Whether the user is the organization's only active owner. Bots do not count. */
export function isOnlyOwner(directory: Directory, { id }: UserRow): boolean {
  const [first, ...others] = activeOwners(directory)
  return first?.id === id && others.length === 0
}

export const mayChangeOwnName = (directory: Directory, user: UserRow): boolean =>
  isAdministrator(user) || !realmSetting(directory, 'name_changes_disabled')

/** Whether another caller must not take this user's name, nor one that looks like it (docs/protocol/names.md#uniqueness). */
export const hasProtectedName = (user: UserRow): boolean => isAdministrator(user)
export const mayTakeProtectedName = (caller: UserRow): boolean => isAdministrator(caller)

/** Whether mails of welcome say how to set up the organization. */
export const learnsToAdminister = (user: UserRow): boolean => isAdministrator(user)

/** @throws {ApiError} BAD_REQUEST */
export function requireMayChangeOwnAvatar(directory: Directory, user: UserRow): void {
  if (!isAdministrator(user) && realmSetting(directory, 'avatar_changes_disabled')) {
    throw badRequest('Avatar changes are disabled in this organization.')
  }
}

/** @throws {ApiError} BAD_REQUEST */
export function requireMayChangeOwnEmail(directory: Directory, user: UserRow): void {
  if (!isAdministrator(user) && realmSetting(directory, 'email_changes_disabled')) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
}

/** Administrators receive who agreed to the export of private messages. */
export const receivesExportConsent = (user: UserRow): boolean => !user.is_bot && isAdministrator(user)
