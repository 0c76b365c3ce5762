import {
  type GroupSettingValue,
  type SettingMembers,
  settingValueKey,
} from '../../../shared/resources/group-setting-value.js'
import type { Directory } from '../../memory/directory.js'
import { unusedNamelessGroups } from '../../policies/group-uses.js'
import type { Tx } from '../../store/driver/db.js'
import { insertNamelessGroup, reuseNamelessGroup } from '../../store/groups/group-setting-values.js'
import type { GroupRow } from '../../store/groups/groups.js'

/**
 * The group for a checked value: the id of a group that the directory has, or the row of a nameless one that this transaction has written. Reuses
 * nameless groups that no setting refers to, so their number is bounded by the largest number of values at one time. The transaction must
 * hold the organization for a change.
 */
async function settingGroup(
  tx: Tx,
  directory: Directory,
  value: GroupSettingValue,
  version: number,
): Promise<number | GroupRow> {
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

/** The groups of settings: their ids, and the nameless ones that the transaction has written. */
interface SettingGroups<Name extends string> {
  readonly ids: Partial<Record<Name, number>>
  readonly written: readonly GroupRow[]
}

/** The groups for the checked values of several settings; equal sets share one group. */
export async function settingGroups<Name extends string>(
  tx: Tx,
  directory: Directory,
  values: Readonly<Partial<Record<Name, GroupSettingValue>>>,
  version: number,
): Promise<SettingGroups<Name>> {
  const known = new Map<string, number>()
  const ids: Partial<Record<Name, number>> = {}
  const written: GroupRow[] = []
  for (const [name, value] of Object.entries(values) as [Name, GroupSettingValue][]) {
    const key = settingValueKey(value)
    const group = known.get(key) ?? (await settingGroup(tx, directory, value, version))
    if (typeof group !== 'number') written.push(group)
    ids[name] = idOf(group)
    known.set(key, idOf(group))
  }
  return { ids, written }
}

const idOf = (group: number | GroupRow): number => (typeof group === 'number' ? group : group.id)

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
