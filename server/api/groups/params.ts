import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import type { GroupPermission } from '../../../shared/resources/permission-settings.js'
import { groupPermissionNames } from '../../../shared/resources/user-group.js'
import { budgets } from '../../config/budgets.js'
import { boolean, idList, json, pathId, text } from '../../params/schemas.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { groupSetting, groupSettingChange } from '../group-setting-params.js'

// Prefixes with a meaning in messages (docs/protocol/names.md#refused-names).
const reservedPrefix = /^(?:@|(?:role|user|stream|channel):)/

/** The name in the form in which the server stores it (docs/protocol/names.md). */
export const groupName = z
  .string()
  .transform(cleanName)
  .refine(name => name !== '', "User group name can't be empty!")
  .refine(
    name => codePoints(name) <= limits.user_group_name_length,
    `User group name cannot exceed ${limits.user_group_name_length} characters.`,
  )
  .refine(
    name => !reservedPrefix.test(name),
    'A name of a user group cannot begin with @, or with role, user, stream or channel and a colon.',
  )
  // The mention of a group is `@*name*`.
  .refine(
    name => !name.includes('*'),
    'A name of a user group cannot contain an asterisk: no message could mention it.',
  )
  .refine(isNameText, 'Invalid character in user group name.')
  .meta({ minLength: 1, maxLength: limits.user_group_name_length })

export const groupDescription = text(limits.user_group_description_length, 'User group description too long.').refine(
  text => !text.includes('\0'),
  'Invalid character in user group description.',
)

export const groupId = () => pathId().describe('The group.')

export const memberIds = () => json(idList())
export const subgroupIds = () => json(idList(budgets.groupsPerList.most))

export const directOnly = () => boolean().default(false)

const meanings: Readonly<Record<GroupPermission, string>> = {
  can_add_members_group: 'Who may add members; who makes the group, by default.',
  can_join_group: 'Who may join the group; by default no user.',
  can_leave_group: 'Who may leave the group; default: all users.',
  can_manage_group: 'Who may do everything with the group; who makes it, by default.',
  can_mention_group: 'Who may mention the group in messages; default: all users.',
  can_remove_members_group: 'Who may remove members; by default no user.',
}

const value = (name: GroupPermission) => json(groupSetting).optional().describe(meanings[name])
const update = (name: GroupPermission) =>
  json(groupSettingChange).optional().describe(`${meanings[name]} With \`old\`: only if that is still its value.`)

/** The settings of a new group. */
export const settingValues = {
  can_add_members_group: value('can_add_members_group'),
  can_join_group: value('can_join_group'),
  can_leave_group: value('can_leave_group'),
  can_manage_group: value('can_manage_group'),
  can_mention_group: value('can_mention_group'),
  can_remove_members_group: value('can_remove_members_group'),
}

/** Changes of a group's settings. */
export const settingUpdates = {
  can_add_members_group: update('can_add_members_group'),
  can_join_group: update('can_join_group'),
  can_leave_group: update('can_leave_group'),
  can_manage_group: update('can_manage_group'),
  can_mention_group: update('can_mention_group'),
  can_remove_members_group: update('can_remove_members_group'),
}

/** The settings that the request contains. */
export function given<Value>(
  params: { readonly [Name in GroupPermission]?: Value | undefined },
): Partial<Record<GroupPermission, Value>> {
  const found: Partial<Record<GroupPermission, Value>> = {}
  for (const name of groupPermissionNames) {
    const one = params[name]
    if (one !== undefined) found[name] = one
  }
  return found
}
