import { firstText, type Loose } from '../loose.js'
import type { Person, SourceBytes } from '../source.js'

// Stands for each person who has deleted the account.
const deleted = '456226577798135808'
// Pictures of those who have none.
const standardPicture = /\/embed\/avatars\//

/** The author of a message, or a person that a message names; undefined: it has no id. */
export function personOf(user: Loose, fileAt: (address: string) => SourceBytes | undefined): Person | undefined {
  const key = firstText(user.id)
  if (key === '') return undefined
  const address = firstText(user.avatarUrl)
  return {
    key,
    name: firstText(user.nickname, user.name, key),
    // No file has any.
    address: null,
    isBot: user.isBot === true,
    isActive: key !== deleted,
    rank: 'member',
    timezone: '',
    picture: (standardPicture.test(address) ? undefined : fileAt(address)) ?? null,
  }
}
