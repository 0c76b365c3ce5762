import type { UserRow } from '../store/users/users.js'

/**
 * The user's address in the API, the same for every account: the real one only if all accounts may see it (docs/users.md#two-addresses; a
 * bot's address is never hidden from them). A spectator gets none that receives mail.
 */
export function apiEmail(user: UserRow, realmHost: string, forSpectator = false): string {
  const isShown = user.is_bot || user.email_address_visibility === 1
  return isShown && !forSpectator ? user.delivery_email : dummyEmail(user.id, realmHost)
}

export const dummyEmail = (userId: number, realmHost: string): string => `user${userId}@${realmHost}`

/** In place of the name of a user that the viewer may not know. */
export const unknownName = 'Unknown user'
