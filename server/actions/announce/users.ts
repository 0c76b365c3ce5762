import { realmUserAdd } from '../../../shared/events/realm-user.js'
import { userStatusEvent } from '../../../shared/events/user-status.js'
import type { Ctx } from '../../ctx.js'
import { deliveryEmailFor } from '../../policies/users.js'
import { unknownUser, userObjectWith } from '../../presenters/user-object.js'
import { hasStatus, userStatus } from '../../presenters/user-status.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * Emits realm_user/add, in two forms: with and without the user's address. `known`: ids of users who may know the user; `unknown`: ids of
 * those who may not, and who get a placeholder if their list of users must be complete. Both ascending.
 */
export function notifyOfUser(
  emit: Emit,
  ctx: Ctx,
  user: UserRow,
  { known, unknown = [] }: { readonly known: readonly number[]; readonly unknown?: readonly number[] },
): void {
  const { publicUrl, realmHost, directory } = ctx
  const options = { publicUrl, realmHost, clientGravatar: false, profileData: true, isActive: true }
  const seesEmail = (id: number) => deliveryEmailFor(directory.users.get(id) ?? null, user) !== null
  const form = (email: string | null) => ({ person: userObjectWith(user, email, false, options) })
  emit(realmUserAdd, form(user.delivery_email), known.filter(seesEmail))
  const others = known.filter(id => !seesEmail(id))
  emit(realmUserAdd, form(null), others)
  emit(realmUserAdd, { person: unknownUser(user.id, options), isUnknown: true }, unknown)
  notifyOfStatuses(emit, ctx, [user], known)
}

/** Emits the whole status of each user that has one, for clients that begin to show the users. */
export function notifyOfStatuses(
  emit: Emit,
  { config }: Ctx,
  users: readonly UserRow[],
  audience: readonly number[],
): void {
  for (const user of users) {
    if (hasStatus(user)) emit(userStatusEvent, { user_id: user.id, ...userStatus(user, config.wireBrand) }, audience)
  }
}
