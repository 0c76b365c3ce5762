import type { GroupSettingValue } from '../resources/group-setting-value.js'
import type { GroupPermission } from '../resources/permission-settings.js'
import type { UserGroupObject } from '../resources/user-group.js'
import { defineEvent } from './event.js'

export interface UserGroupAddPayload {
  group: UserGroupObject
  /** Only for clients without include_deactivated_groups: for them a reactivated group is new. */
  reactivated?: boolean
}

export interface UserGroupUpdatePayload {
  group_id: number
  data: { name?: string; description?: string; deactivated?: boolean } & {
    [Name in GroupPermission]?: GroupSettingValue
  }
  /** The group is deactivated, or this event changes that: clients without include_deactivated_groups do not get the event. */
  of_deactivated?: boolean
}

export interface UserGroupRemovePayload {
  group_id: number
}

export interface UserGroupMembersPayload {
  group_id: number
  /** Ascending. */
  user_ids: readonly number[]
  of_deactivated?: boolean
}

export interface UserGroupSubgroupsPayload {
  group_id: number
  /** Ascending. */
  direct_subgroup_ids: readonly number[]
  of_deactivated?: boolean
}

const dependsOn = ['include_deactivated_groups'] as const

/** Clients without include_deactivated_groups get no events about deactivated groups. */
const unlessHidden = <Payload extends { of_deactivated?: boolean }>(
  { of_deactivated, ...form }: Payload,
  view: { include_deactivated_groups: boolean },
) => (of_deactivated && !view.include_deactivated_groups ? null : form)

export const userGroupAdd = defineEvent<UserGroupAddPayload>('user_group/add', {
  doc: 'A group was made; to clients that do not know deactivated groups, also: it was reactivated.',
  dependsOn,
  render: ({ group, reactivated }, view) => (reactivated && view.include_deactivated_groups ? null : { group }),
  apply(state, event) {
    const group = event.group as UserGroupObject
    const groups = groupsOf(state)
    if (!groups) return
    drop(groups, group.id)
    groups.push({ ...group })
  },
})

export const userGroupUpdate = defineEvent<UserGroupUpdatePayload>('user_group/update', {
  doc: 'Name, description, settings of a group changed, or whether it is deactivated.',
  dependsOn,
  render: unlessHidden,
  apply: (state, event) => Object.assign(find(state, event) ?? {}, event.data),
})

export const userGroupRemove = defineEvent<UserGroupRemovePayload>('user_group/remove', {
  doc: 'A group was deactivated; only for clients that do not know deactivated groups.',
  dependsOn,
  render: (payload, view) => (view.include_deactivated_groups ? null : { ...payload }),
  apply: (state, event) => drop(groupsOf(state) ?? [], event.group_id as number),
})

export const userGroupAddMembers = defineEvent<UserGroupMembersPayload>('user_group/add_members', {
  doc: 'Users became direct members of a group; of a system group, when their role changed.',
  dependsOn,
  render: unlessHidden,
  apply: (state, event) => add(find(state, event), 'members', event.user_ids as number[]),
})

export const userGroupRemoveMembers = defineEvent<UserGroupMembersPayload>('user_group/remove_members', {
  doc: 'Users are no longer direct members of a group.',
  dependsOn,
  render: unlessHidden,
  apply: (state, event) => remove(find(state, event), 'members', event.user_ids as number[]),
})

export const userGroupAddSubgroups = defineEvent<UserGroupSubgroupsPayload>('user_group/add_subgroups', {
  doc: 'Groups became direct subgroups of a group.',
  dependsOn,
  render: unlessHidden,
  apply: (state, event) => add(find(state, event), 'direct_subgroup_ids', event.direct_subgroup_ids as number[]),
})

export const userGroupRemoveSubgroups = defineEvent<UserGroupSubgroupsPayload>('user_group/remove_subgroups', {
  doc: 'Groups are no longer direct subgroups of a group.',
  dependsOn,
  render: unlessHidden,
  apply: (state, event) => remove(find(state, event), 'direct_subgroup_ids', event.direct_subgroup_ids as number[]),
})

type Listed = Record<string, unknown> & { id: number }
type IdList = 'members' | 'direct_subgroup_ids'

const groupsOf = (state: Record<string, unknown>) => state.realm_user_groups as Listed[] | undefined

const find = (state: Record<string, unknown>, { group_id }: Record<string, unknown>): Listed | undefined =>
  groupsOf(state)?.find(group => group.id === group_id)

function drop(groups: Listed[], groupId: number): void {
  const at = groups.findIndex(group => group.id === groupId)
  if (at >= 0) groups.splice(at, 1)
}

function add(group: Listed | undefined, list: IdList, ids: readonly number[]): void {
  if (group) group[list] = [...new Set([...(group[list] as number[]), ...ids])]
}

function remove(group: Listed | undefined, list: IdList, ids: readonly number[]): void {
  const gone = new Set(ids)
  if (group) group[list] = (group[list] as number[]).filter(id => !gone.has(id))
}
