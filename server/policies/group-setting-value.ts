import { ApiError, badRequest } from '../../shared/errors.js'
import { type GroupSettingValue, settingValueKey } from '../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'

/** Throws for a value that names an unknown user or group, or that the setting does not allow. */
export function checkSettingValue(
  directory: Directory,
  name: string,
  rule: PermissionSetting,
  value: GroupSettingValue,
): void {
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups
  for (const id of groups) {
    const group = directory.groups.get(id)
    // A nameless group is the value of a setting; clients cannot name it.
    if (!group || group.name === null || group.deactivated) throw badRequest('Invalid user group')
  }
  if (typeof value !== 'number') {
    for (const id of value.direct_members) {
      const user = directory.users.get(id)
      if (!user?.is_active || user.is_system_bot) throw badRequest(`Invalid user ID: ${id}`)
    }
  }
  const key = settingValueKey(value)
  const single = key.includes('/') ? undefined : directory.groups.get(Number(key))
  if (!single && rule.fixed_group) throw badRequest(`'${name}' setting can only be '${rule.fixed_group}' yet.`)
  if (!single?.is_system_group && rule.require_system_group) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name })
  }
  for (const id of groups) {
    const groupName = directory.groups.get(id)?.name ?? ''
    if (isTooWide(rule, groupName) || (single && isNotFor(rule, groupName))) {
      throw badRequest(`'${name}' setting cannot be set to '${groupName}' group.`)
    }
  }
  if (key === '/' && !rule.allow_nobody_group) throw badRequest(`'${name}' setting cannot be nobody.`)
}

/** A set must not contain such a group either: the set would include as many users. */
const isTooWide = (rule: PermissionSetting, groupName: string): boolean =>
  groupName === 'role:internet' || (groupName === 'role:everyone' && !rule.allow_everyone_group)

const isNotFor = (rule: PermissionSetting, groupName: string): boolean =>
  (groupName === 'role:nobody' && !rule.allow_nobody_group) ||
  groupName === rule.refused_system_group ||
  (rule.fixed_group !== undefined && groupName !== rule.fixed_group) ||
  (rule.allowed_system_groups.length > 0 && !rule.allowed_system_groups.includes(groupName))
