import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Tx } from '../../store/driver/db.js'
import { lockUser } from '../../store/personal/own-row.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * Until the transaction ends, the caller's account stays as it is, and its other changes of own things wait.
 * @throws {ApiError} UNAUTHORIZED if the account was deactivated
 */
export async function holdOwner({ directory }: Ctx, tx: Tx, { user }: Actor): Promise<UserRow> {
  await directory.hold(tx, 'share')
  await lockUser(tx, user.id)
  return currentUser(directory, user)
}
