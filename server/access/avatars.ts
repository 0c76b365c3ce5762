import { createHash } from 'node:crypto'
import type { UserRow } from '../store/users.js'

/** What stands for somebody whom the caller may not know. */
export const unknownAvatarPath = '/static/images/unknown-user-avatar.png?v=1'

/**
 * Address of a user's picture; it ends with `?v=<avatar_version>` (docs/protocol/conventions.md#users). `email` is the
 * address that the viewer knows the user by: the hash of a hidden address would give it away to whoever guesses.
 */
export function avatarUrl(user: UserRow, email: string, publicUrl: string, medium = false): string {
  const version = `v=${user.avatar_version}`
  if (user.avatar_source === 'U') return `${publicUrl}/avatar/${user.id}${medium ? '/medium' : ''}?${version}`
  const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
  return `https://secure.gravatar.com/avatar/${hash}?${medium ? 's=500&' : ''}${version}`
}
