import { ApiError, badRequest } from '../../shared/errors.js'
import { type GroupSettingValue, settingValueKey } from '../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../shared/resources/permission-settings.js'
import type { Tx } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { insertNamelessGroup } from '../store/group-setting-values.js'

/** Refuses a value that names nobody we know, or that the setting may not have. */
export function checkSettingValue(
  directory: Directory,
  name: string,
  rule: PermissionSetting,
  value: GroupSettingValue,
): void {
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups
  for (const id of groups) {
    const group = directory.groups.get(id)
    // Nameless groups are values of settings, not groups that anyone could name.
    if (!group || group.name === null || group.deactivated) throw badRequest('Invalid user group')
  }
  if (typeof value !== 'number') {
    for (const id of value.direct_members) {
      if (!directory.users.get(id)?.is_active) throw badRequest(`Invalid user ID: ${id}`)
    }
  }
  const key = settingValueKey(value)
  const single = key.includes('/') ? undefined : directory.groups.get(Number(key))
  if (!single?.is_system_group) {
    if (rule.require_system_group) {
      throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name })
    }
    return
  }
  const refused =
    single.name === 'role:internet' ||
    (single.name === 'role:nobody' && !rule.allow_nobody_group) ||
    (single.name === 'role:everyone' && !rule.allow_everyone_group) ||
    (rule.allowed_system_groups.length > 0 && !rule.allowed_system_groups.includes(single.name ?? ''))
  if (refused) throw badRequest(`'${name}' setting cannot be set to '${single.name}' group.`)
}

/** Id of the group that stands for a checked value: a named one, or a nameless one, made where there is none like it yet. */
export async function resolveSettingValue(
  tx: Tx,
  directory: Directory,
  setting: { name: string; rule: PermissionSetting; value: GroupSettingValue; version: number },
): Promise<number> {
  checkSettingValue(directory, setting.name, setting.rule, setting.value)
  return settingGroup(tx, directory, setting.value, setting.version)
}

/** The same for a value of our own making. */
export async function settingGroup(
  tx: Tx,
  directory: Directory,
  value: GroupSettingValue,
  version: number,
): Promise<number> {
  if (typeof value === 'number') return value
  const key = settingValueKey(value)
  if (!key.includes('/')) return Number(key)
  const like = directory.derived(namelessGroups).get(key)
  if (like !== undefined) return like
  const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
  return insertNamelessGroup(
    tx,
    { direct_members: ascending(value.direct_members), direct_subgroups: ascending(value.direct_subgroups) },
    version,
  )
}

function namelessGroups(directory: Directory): Map<string, number> {
  const byKey = new Map<string, number>()
  for (const group of directory.groups.values()) {
    if (group.name !== null) continue
    byKey.set(`${group.members.join()}/${group.subgroups.join()}`, group.id)
  }
  return byKey
}
