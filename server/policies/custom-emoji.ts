import { badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import type { CustomEmojiRow } from '../store/organization/custom-emoji.js'
import type { UserRow } from '../store/users/users.js'
import { anyHuman, notGuest } from './allow.js'
import { isInGroup, realmGroup } from './groups.js'
import { isAdministrator } from './roles.js'

/**
 * People with can_add_custom_emoji_group add emoji; only administrators take a built-in name, which then means the new emoji.
 * @throws {ApiError} BAD_REQUEST
 */
export function requireMayAddEmoji(directory: Directory, user: UserRow, hidesBuiltIn: boolean): void {
  anyHuman({ user })
  notGuest({ user })
  if (!isInGroup(directory, user.id, realmGroup(directory, 'can_add_custom_emoji_group'))) {
    throw badRequest('Insufficient permission')
  }
  if (hidesBuiltIn && !isAdministrator(user)) {
    throw badRequest('Only administrators can override default emoji.')
  }
}

/** Its author and administrators deactivate an emoji. @throws {ApiError} BAD_REQUEST */
export function requireMayDeactivateEmoji(user: UserRow, emoji: CustomEmojiRow): void {
  if (!isAdministrator(user) && emoji.author_id !== user.id) {
    throw badRequest('Must be an organization administrator or emoji author')
  }
}
