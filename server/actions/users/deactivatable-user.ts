import { badRequest } from '../../../shared/errors.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayDeactivate } from '../../policies/accounts.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * An active person that the caller may deactivate.
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
  requireMayDeactivate(directory, caller, user)
  return user
}
