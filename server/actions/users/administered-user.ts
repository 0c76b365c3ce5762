import { badRequest } from '../../../shared/errors.js'
import { administrator } from '../../access/allow.js'
import { findUserByEmail } from '../../access/find-user.js'
import { mayAccessUser } from '../../access/users.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/db.js'
import type { UserRow } from '../../store/users.js'

/** How a request names a user: by id, or by an address as the caller may use it. */
export type UserName = { readonly id: number } | { readonly email: string }

/**
 * The user, whom the caller may administer: everybody for administrators, its own bots for anybody else.
 * @throws {ApiError} BAD_REQUEST, the same for a user who is not there and one whom the caller may not know
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
  const may = caller.is_active && (caller.role <= administrator || user.bot_owner_id === caller.id)
  if (!may) throw badRequest('Insufficient permission')
  return user
}
