import { ApiError, badRequest } from '../../shared/errors.js'
import {
  type GroupSettingValue,
  type SettingMembers,
  settingValueKey,
} from '../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../shared/resources/permission-settings.js'
import type { Tx } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { insertNamelessGroup, reuseNamelessGroup } from '../store/group-setting-values.js'
import { unusedNamelessGroups } from './group-uses.js'

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
      const user = directory.users.get(id)
      if (!user?.is_active || user.is_system_bot) throw badRequest(`Invalid user ID: ${id}`)
    }
  }
  const key = settingValueKey(value)
  const single = key.includes('/') ? undefined : directory.groups.get(Number(key))
  if (!single?.is_system_group && rule.require_system_group) {
    throw new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name })
  }
  for (const id of groups) {
    const groupName = directory.groups.get(id)?.name ?? ''
    if (isTooWide(rule, groupName) || (single && isNotFor(name, rule, groupName))) {
      throw badRequest(`'${name}' setting cannot be set to '${groupName}' group.`)
    }
  }
  if (key === '/' && !rule.allow_nobody_group) throw badRequest(`'${name}' setting cannot be nobody.`)
}

/** Such a group may not be part of a set either: the set would hold just as many. */
const isTooWide = (rule: PermissionSetting, groupName: string): boolean =>
  groupName === 'role:internet' || (groupName === 'role:everyone' && !rule.allow_everyone_group)

function isNotFor(name: string, rule: PermissionSetting, groupName: string): boolean {
  return (
    (groupName === 'role:nobody' && !rule.allow_nobody_group) ||
    // docs/protocol/permissions.md#group-setting-values. The announced rules have no field for it.
    (groupName === 'role:owners' && name === 'can_mention_group') ||
    (rule.allowed_system_groups.length > 0 && !rule.allowed_system_groups.includes(groupName))
  )
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

/**
 * The same for a value of our own making. There are at most as many nameless groups as there were ever values at a time:
 * those that no setting has any more are used again. For a transaction that holds the organization for a change.
 */
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
  const members: SettingMembers = {
    direct_members: ascending(value.direct_members),
    direct_subgroups: ascending(value.direct_subgroups),
  }
  const unused = unusedNamelessGroups(directory)
  const reused = unused.length > 0 ? await reuseNamelessGroup(tx, unused, members, version) : undefined
  return reused ?? insertNamelessGroup(tx, members, version)
}

/** The groups that stand for the checked values of several settings; equal sets share one. */
export async function settingGroups<Name extends string>(
  tx: Tx,
  directory: Directory,
  values: Readonly<Partial<Record<Name, GroupSettingValue>>>,
  version: number,
): Promise<Partial<Record<Name, number>>> {
  const known = new Map<string, number>()
  const ids: Partial<Record<Name, number>> = {}
  for (const [name, value] of Object.entries(values) as [Name, GroupSettingValue][]) {
    const key = settingValueKey(value)
    const id = known.get(key) ?? (await settingGroup(tx, directory, value, version))
    known.set(key, id)
    ids[name] = id
  }
  return ids
}

/** Those that settings have as their value, by what they hold. */
function namelessGroups(directory: Directory): Map<string, number> {
  const unused = new Set(unusedNamelessGroups(directory))
  const byKey = new Map<string, number>()
  for (const group of directory.groups.values()) {
    if (group.name !== null || unused.has(group.id)) continue
    byKey.set(`${group.members.join()}/${group.subgroups.join()}`, group.id)
  }
  return byKey
}
