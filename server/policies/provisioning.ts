import { ApiError } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { isOnlyOwner } from './accounts.js'
import { isOwner } from './roles.js'

// What a directory may do with people (docs/directories.md#people). Refusals have the status 403.

export interface ProvisioningRights {
  /** Whether it may make owners, and change those that there are. */
  readonly mayChangeOwners: boolean
}

const forbidden = (message: string) => new ApiError('BAD_REQUEST', message, {}, 403)

/** @throws {ApiError} BAD_REQUEST */
export function requireMayGive({ mayChangeOwners }: ProvisioningRights, role: number): void {
  if (isOwner({ role }) && !mayChangeOwners) throw forbidden('This token may not make owners.')
}

/** With another address its holder could get a password of an owner. @throws {ApiError} BAD_REQUEST */
export function requireMayChangeAddress({ mayChangeOwners }: ProvisioningRights, user: UserRow): void {
  if (isOwner(user) && !mayChangeOwners) throw forbidden('This token may not change the address of an owner.')
}

/** @throws {ApiError} BAD_REQUEST */
export function requireMayBringBack({ mayChangeOwners }: ProvisioningRights, user: UserRow): void {
  if (isOwner(user) && !mayChangeOwners) throw forbidden('This token may not bring an owner back.')
}

/** The role of a user to which the directory gives `wanted`: without the right owners stay what they are. @throws {ApiError} BAD_REQUEST */
export function provisionedRole(
  directory: Directory,
  rights: ProvisioningRights,
  user: UserRow,
  wanted: number,
): number {
  if (wanted === user.role) return wanted
  requireMayGive(rights, wanted)
  if (isOwner(user) && !rights.mayChangeOwners) return user.role
  if (isOnlyOwner(directory, user)) throw forbidden('The only owner of the organization stays an owner.')
  return wanted
}

/** @throws {ApiError} BAD_REQUEST */
export function requireMayDeactivate(directory: Directory, user: UserRow): void {
  if (isOnlyOwner(directory, user)) throw forbidden('The only owner of the organization stays active.')
}
