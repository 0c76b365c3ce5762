import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { apiEmail, deliveryEmailFor } from './users.js'

const dummy = /^user(\d{1,10})@(.+)$/i

/**
 * The user that an email address of the API names for this viewer (docs/users.md#two-addresses): the real address where
 * the viewer may see it, the dummy one always. Case does not matter. Whether the viewer may know the user is asked
 * separately.
 */
export function findUserByEmail(
  directory: Directory,
  viewer: UserRow | null,
  email: string,
  realmHost: string,
): UserRow | undefined {
  const real = directory.usersByEmail.get(email.toLowerCase())
  if (real && (deliveryEmailFor(viewer, real) !== null || apiEmail(real, realmHost) === real.delivery_email))
    return real
  const [, id, host] = dummy.exec(email) ?? []
  return host?.toLowerCase() === realmHost.toLowerCase() ? directory.users.get(Number(id)) : undefined
}
