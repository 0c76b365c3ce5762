import type { GroupSettingValue, SettingMembers } from '../../shared/resources/group-setting-value.js'
import type { Directory } from '../memory/directory.js'
import type { GroupRow } from '../store/groups/groups.js'

/** All members of a group and its subgroups: some by id, the others by their role. */
export interface Closure {
  readonly users: ReadonlySet<number>
  /** Names of system groups. */
  readonly roles: ReadonlySet<string>
}

// Groups are cached by id, sets by object identity: a channel that is being created checks the same set for many users.
const closures = () => ({ ofGroups: new Map<number, Closure>(), ofSets: new WeakMap<SettingMembers, Closure>() })

/** The closure of a group or a set; computed once per version of the directory. */
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
  // Iteration includes ids that are added meanwhile: the loop visits every group once, also when groups contain each other.
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

/** Ids of all direct and indirect subgroups of a group, system groups included; ascending. */
export function subgroupsWithin(directory: Directory, groupId: number): number[] {
  const found = new Set([groupId])
  for (const id of found) for (const subgroup of directory.groups.get(id)?.subgroups ?? []) found.add(subgroup)
  found.delete(groupId)
  return [...found].sort((a, b) => a - b)
}
