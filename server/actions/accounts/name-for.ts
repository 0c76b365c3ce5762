import { ApiError } from '../../../shared/errors.js'
import { limits } from '../../../shared/limits.js'
import type { Directory } from '../../memory/directory.js'
import { checkedFullName, requireFreeName } from './account-details.js'

/**
 * The first of some names that a person can have: the one that a provider or a directory says, or with the beginning of the address.
 * `ownId`: the person's account; null: it has none yet.
 */
export function nameFor(
  directory: Directory,
  { fullName, email }: { readonly fullName: string; readonly email: string },
  ownId: number | null,
): string {
  const local = plain(email.slice(0, email.lastIndexOf('@')))
  const said = plain(fullName)
  const own = [local, `${local} (${plain(email.replace('@', ' at '))})`]
  const candidates = said === '' ? own : [said, `${said} (${local})`, ...own]
  for (const candidate of candidates) {
    try {
      const name = checkedFullName(candidate)
      requireFreeName(directory, name, ownId, null)
      return name
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  return checkedFullName(own[1] ?? local)
}

/** Without the characters that no name has, and not too long. */
const plain = (text: string): string =>
  [...text.replace(/[*`\\>"@|]/g, ' ')]
    .slice(0, Math.floor(limits.user_full_name_length / 2) - 2)
    .join('')
    .trim()
