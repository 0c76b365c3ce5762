import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { findUserByEmail } from '../../lookups/find-user.js'
import { mayAccessUser } from '../../lookups/known-users.js'
import { mayChangeUser } from '../../policies/accounts.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'

/** A user in a request: by id, or by an address that the caller may use. */
export type UserName = { readonly id: number } | { readonly email: string }

/**
 * A user that the caller may administer: administrators all users, other callers their own bots.
 * @throws {ApiError} BAD_REQUEST, the same for a missing user and for one that the caller may not see
 */
export async function administeredUser(
  { directory, realmHost }: Ctx,
  tx: Tx,
  caller: UserRow,
  name: UserName,
): Promise<UserRow> {
  const user = 'id' in name ? directory.users.get(name.id) : findUserByEmail(directory, caller, name.email, realmHost)
  if (!user || user.is_system_bot || !(await mayAccessUser(tx, directory, caller, user))) {
    throw badRequest('No such user')
  }
  if (!mayChangeUser(caller, user)) throw badRequest('Insufficient permission')
  return user
}
