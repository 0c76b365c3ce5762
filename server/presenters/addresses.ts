import type { UserRow } from '../store/users.js'

/**
 * The user's address in the API, the same for every viewer: the real one only if all viewers may see it (docs/users.md#two-addresses; a
 * bot's address is never hidden).
 */
export function apiEmail(user: UserRow, realmHost: string): string {
  return user.is_bot || user.email_address_visibility === 1 ? user.delivery_email : dummyEmail(user.id, realmHost)
}

export const dummyEmail = (userId: number, realmHost: string): string => `user${userId}@${realmHost}`

/** In place of the name of a user that the viewer may not know. */
export const unknownName = 'Unknown user'
