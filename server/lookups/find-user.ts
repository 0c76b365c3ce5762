import { ApiError } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import { deliveryEmailFor } from '../policies/users.js'
import { apiEmail } from '../presenters/addresses.js'
import type { UserRow } from '../store/users/users.js'

const dummy = /^user(\d{1,10})@(.+)$/i

/**
 * The user that an email address names for this viewer (docs/users.md#two-addresses): by the real address where the viewer may see it, and
 * always by the dummy address. Case is ignored. The caller checks separately whether the viewer may know the user.
 */
export function findUserByEmail(
  directory: Directory,
  viewer: UserRow | null,
  email: string,
  realmHost: string,
): UserRow | undefined {
  const real = directory.usersByEmail.get(email.toLowerCase())
  const isShown = (user: UserRow) =>
    deliveryEmailFor(viewer, user) !== null || apiEmail(user, realmHost, viewer === null) === user.delivery_email
  if (real && isShown(real)) return real
  const [, id, host] = dummy.exec(email) ?? []
  return host?.toLowerCase() === realmHost.toLowerCase() ? directory.users.get(Number(id)) : undefined
}

/**
 * The caller's present row in the directory: its role may have changed since authentication.
 * @throws {ApiError} UNAUTHORIZED if the account or the organization was deactivated since, which another worker may have done.
 */
export function currentUser(directory: Directory, { id }: Pick<UserRow, 'id'>): UserRow {
  const user = directory.users.get(id)
  if (!user?.is_active || !directory.organization.is_active)
    throw new ApiError('UNAUTHORIZED', 'Account is deactivated')
  return user
}
