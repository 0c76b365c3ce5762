import type { GroupSettingValue, SettingMembers } from '../../shared/resources/group-setting-value.js'
import type { Directory } from '../store/directory.js'
import type { GroupRow } from '../store/groups.js'

/** Everybody whom a group reaches through its subgroups: some by name, the others by their role. */
export interface Closure {
  readonly users: ReadonlySet<number>
  /** Names of system groups. */
  readonly roles: ReadonlySet<string>
}

// Groups by their id; sets by identity: that of a channel that is being made is asked about for user after user.
const closures = () => ({ ofGroups: new Map<number, Closure>(), ofSets: new WeakMap<SettingMembers, Closure>() })

/** A group's, or a set's, is resolved once per generation of the directory. */
export function closureOf(directory: Directory, group: GroupSettingValue): Closure {
  const { ofGroups, ofSets } = directory.derived(closures)
  const known = typeof group === 'number' ? ofGroups.get(group) : ofSets.get(group)
  if (known) return known
  if (typeof group === 'number') {
    const closure = reach(directory, [], [group])
    ofGroups.set(group, closure)
    return closure
  }
  const closure = reach(directory, group.direct_members, group.direct_subgroups)
  ofSets.set(group, closure)
  return closure
}

function reach(directory: Directory, members: readonly number[], groups: readonly number[]): Closure {
  const users = new Set(members)
  const roles = new Set<string>()
  const seen = new Set(groups)
  // A set grows while it is iterated: every group once, also when groups contain each other.
  for (const id of seen) {
    const group = directory.groups.get(id)
    if (!group) continue
    if (isRoleGroup(group)) {
      roles.add(group.name)
      continue
    }
    for (const userId of group.members) users.add(userId)
    for (const subgroup of group.subgroups) seen.add(subgroup)
  }
  return { users, roles }
}

const isRoleGroup = (group: GroupRow): group is GroupRow & { name: string } => group.is_system_group

/** Ids of all groups that a group contains, however deep, system groups in their order of nesting too; ascending. */
export function subgroupsWithin(directory: Directory, groupId: number): number[] {
  const found = new Set([groupId])
  for (const id of found) for (const subgroup of directory.groups.get(id)?.subgroups ?? []) found.add(subgroup)
  found.delete(groupId)
  return [...found].sort((a, b) => a - b)
}
