import { createHash } from 'node:crypto'
import type { UserRow } from '../store/users.js'

/** The placeholder avatar of a user that the viewer may not see. */
export const unknownAvatarPath = '/static/images/unknown-user-avatar.png?v=1'

/**
 * Address of a user's avatar; it ends with `?v=<avatar_version>` (docs/protocol/conventions.md#users). `email` is the address under which
 * the viewer knows the user: the hash of a hidden address would let the viewer confirm a guess of it.
 */
export function avatarUrl(user: UserRow, email: string, publicUrl: string, medium = false): string {
  const version = `v=${user.avatar_version}`
  if (user.is_system_bot)
    return `${publicUrl}/static/images/static_avatars/notification-bot${medium ? '-medium' : ''}.png?${version}`
  if (user.avatar_source === 'U') return `${publicUrl}/avatar/${user.id}${medium ? '/medium' : ''}?${version}`
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&${medium ? 's=500&' : ''}${version}`
}
