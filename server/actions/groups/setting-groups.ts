import {
  type GroupSettingValue,
  type SettingMembers,
  settingValueKey,
} from '../../../shared/resources/group-setting-value.js'
import type { Directory } from '../../memory/directory.js'
import { unusedNamelessGroups } from '../../policies/group-uses.js'
import type { Tx } from '../../store/driver/db.js'
import { insertNamelessGroup, reuseNamelessGroup } from '../../store/groups/group-setting-values.js'

/**
 * Id of the group for a checked value: a named group, or a nameless one. Reuses nameless groups that no setting refers to, so their number is
 * bounded by the largest number of values at one time. The transaction must hold the organization for a change.
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

/** The groups for the checked values of several settings; equal sets share one group. */
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

/** Nameless groups that are the value of a setting, by their content. */
function namelessGroups(directory: Directory): Map<string, number> {
  const unused = new Set(unusedNamelessGroups(directory))
  const byKey = new Map<string, number>()
  for (const group of directory.groups.values()) {
    if (group.name !== null || unused.has(group.id)) continue
    byKey.set(`${group.members.join()}/${group.subgroups.join()}`, group.id)
  }
  return byKey
}
