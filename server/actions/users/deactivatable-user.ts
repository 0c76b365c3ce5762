import { ApiError, badRequest } from '../../../shared/errors.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { administrator, owner } from '../../policies/allow.js'
import { isOnlyOwner } from '../../policies/users.js'
import type { Tx } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import type { UserRow } from '../../store/users.js'

/**
 * An active person whom the caller may deactivate: administrators may, but only owners may deactivate owners, and the last owner stays.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function deactivatableUser(
  tx: Tx,
  directory: Directory,
  caller: UserRow,
  userId: number,
): Promise<UserRow> {
  const user = directory.users.get(userId)
  const isPerson = user?.is_active && !user.is_bot
  if (!isPerson || !(await mayAccessUser(tx, directory, caller, user))) throw badRequest('No such user')
  if (caller.role > administrator || !caller.is_active) throw badRequest('Insufficient permission')
  if (user.role === owner && caller.role !== owner) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
  }
  if (isOnlyOwner(directory, user)) throw badRequest('Cannot deactivate the only organization owner')
  return user
}
