import { hash } from 'node:crypto'
import type { UserRow } from '../store/users/users.js'

/** The placeholder avatar of a user that the viewer may not see. */
export const unknownAvatar = (publicUrl: string, medium = false): string =>
  picture(publicUrl, 'unknown-user-avatar', medium, 1)

/**
 * Address of a user's avatar; it ends with `?v=<avatar_version>` (docs/protocol/conventions.md#users). `email` is the address under which
 * the viewer knows the user: the hash of a hidden address would let the viewer confirm a guess of it.
 */
export function avatarUrl(user: UserRow, email: string, publicUrl: string, medium = false): string {
  const { avatar_version: version } = user
  if (user.is_system_bot) return picture(publicUrl, 'static_avatars/notification-bot', medium, version)
  if (user.avatar_path !== null) {
    return `${publicUrl}/user_avatars/${user.avatar_path}${medium ? '-medium' : ''}.png?v=${version}`
  }
  return `https://secure.gravatar.com/avatar/${hash('md5', email.toLowerCase())}?d=identicon&${medium ? 's=500&' : ''}v=${version}`
}

/** Clients derive the address of the larger form from that of the smaller one: the name with `-medium`. */
const picture = (publicUrl: string, name: string, medium: boolean, version: number): string =>
  `${publicUrl}/static/images/${name}${medium ? '-medium' : ''}.png?v=${version}`
