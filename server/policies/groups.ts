import type { GroupSettingValue, SettingMembers } from '../../shared/resources/group-setting-value.js'
import {
  type ChannelPermission,
  channelPermissions,
  type GroupPermission,
  groupPermissions,
  type PermissionSetting,
  type RealmPermission,
  realmPermissions,
} from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { GroupRow } from '../store/groups/groups.js'
import type { UserRow } from '../store/users/users.js'
import { closureOf } from './group-closure.js'
import { directRoleGroup, hasRole, roleHolders } from './role-groups.js'

/** A user group with a name; a nameless group is only the value of a setting. */
export interface NamedGroup extends GroupRow {
  readonly name: string
}

export const isNamed = (group: GroupRow | undefined): group is NamedGroup => group !== undefined && group.name !== null

/**
 * Whether the user is a member of the group, directly or through subgroups. Deactivated users and the server's own bots are in no group; a
 * spectator (null) is only in role:internet.
 */
export function isInGroup(directory: Directory, userId: number | null, group: GroupSettingValue): boolean {
  const closure = closureOf(directory, group)
  const user = userId === null ? null : directory.users.get(userId)
  if (user === undefined || (user && (!user.is_active || user.is_system_bot))) return false
  if (user && closure.users.has(user.id)) return true
  for (const role of closure.roles) if (hasRole(directory, user, role)) return true
  return false
}

/** Ids of the group's active members, direct and through subgroups; ascending. */
export function membersOf(directory: Directory, group: GroupSettingValue): number[] {
  const closure = closureOf(directory, group)
  const candidates = closure.roles.size > 0 ? directory.users.keys() : closure.users
  return [...candidates].filter(id => isInGroup(directory, id, group)).sort((a, b) => a - b)
}

/** Whether the user is a direct member; does not compute the list of members. */
export function isDirectMember(directory: Directory, group: NamedGroup, user: UserRow): boolean {
  if (group.is_system_group) return directRoleGroup(directory, user) === group.name
  return user.is_active && group.members.includes(user.id)
}

/** Ids of active direct members, ascending. */
export function directMembers(directory: Directory, group: NamedGroup): readonly number[] {
  if (group.is_system_group) return roleHolders(directory).get(group.name) ?? []
  return group.members.filter(id => directory.users.get(id)?.is_active)
}

/** Id of a system group (`role:…`). */
export function systemGroup(directory: Directory, name: string): number {
  const group = directory.groupsByName.get(name)
  if (!group) throw new Error(`the organization has no group ${name}`)
  return group.id
}

/** Id of the group that holds a permission of the organization. */
export function realmGroup(directory: Directory, name: RealmPermission): number {
  const stored = directory.organization.settings[name]
  const { fixed_group, default_group_name }: PermissionSetting = realmPermissions[name]
  return typeof stored === 'number' ? stored : systemGroup(directory, fixed_group ?? default_group_name)
}

/** The group that holds a permission of a channel: its id, or possibly a set for a channel that is being created. */
export function channelGroup<Value extends GroupSettingValue>(
  directory: Directory,
  channel: { readonly settings: Readonly<Record<string, Value>> },
  name: ChannelPermission,
): Value | number {
  return channel.settings[name] ?? startingGroup(directory, channelPermissions[name].default_group_name)
}

/** Id of the group that holds a permission of a user group. */
export function groupGroup(
  directory: Directory,
  group: Pick<GroupRow, 'settings' | 'is_system_group'>,
  name: GroupPermission,
): number {
  const { default_group_name, default_for_system_groups } = groupPermissions[name]
  const byDefault = (group.is_system_group && default_for_system_groups) || default_group_name
  return group.settings[name] ?? startingGroup(directory, byDefault)
}

// Creating a channel or group stores a set with its creator as the value. Without a creator the permission starts with role:nobody.
function startingGroup(directory: Directory, name: string): number {
  return systemGroup(directory, name.startsWith('role:') ? name : 'role:nobody')
}

/**
 * A setting's value on the wire: a named group as its id, a nameless one as its members without deactivated users
 * (docs/protocol/permissions.md#group-setting-values).
 */
export function settingValue(directory: Directory, value: GroupSettingValue): GroupSettingValue {
  const group = typeof value === 'number' ? directory.groups.get(value) : nameless(value)
  if (!group || group.name !== null) return value
  const direct_members = group.members.filter(id => directory.users.get(id)?.is_active)
  const [subgroup, ...others] = group.subgroups
  if (direct_members.length === 0 && subgroup !== undefined && others.length === 0) return subgroup
  return { direct_members, direct_subgroups: group.subgroups }
}

const nameless = ({ direct_members, direct_subgroups }: SettingMembers) => ({
  name: null,
  members: ascending(direct_members),
  subgroups: ascending(direct_subgroups),
})

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)
