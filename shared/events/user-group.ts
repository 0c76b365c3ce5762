import { z } from 'zod'
import { userGroupObject } from '../resources/user-group.js'
import { type AuditChange, type AuditedState, changed, pick } from './audit.js'
import type { ClientState, UserGroup } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'

const added = z.object({ group: userGroupObject })
const updated = z.object({
  group_id: z.int(),
  data: userGroupObject
    .omit({
      id: true,
      members: true,
      direct_subgroup_ids: true,
      is_system_group: true,
      creator_id: true,
      date_created: true,
    })
    .partial()
    .describe('The changed fields.'),
})
const removed = z.object({ group_id: z.int() })
const members = z.object({ group_id: z.int(), user_ids: z.array(z.int()).describe('Ascending.') })
const subgroups = z.object({ group_id: z.int(), direct_subgroup_ids: z.array(z.int()).describe('Ascending.') })

export interface OfDeactivated {
  /** The group is deactivated, or this event changes that: clients without include_deactivated_groups do not get the event. */
  readonly of_deactivated?: boolean
}

type UserGroupAddPayload = FieldsOf<typeof added> & {
  /** Only for clients without include_deactivated_groups: for them a reactivated group is new. */
  readonly reactivated?: boolean
}
export type UserGroupUpdatePayload = FieldsOf<typeof updated> & OfDeactivated
type UserGroupMembersPayload = FieldsOf<typeof members> & OfDeactivated
type UserGroupSubgroupsPayload = FieldsOf<typeof subgroups> & OfDeactivated

const dependsOn = ['include_deactivated_groups'] as const

/** Clients without include_deactivated_groups get no events about deactivated groups. */
const unlessHidden = <Payload extends OfDeactivated>(
  { of_deactivated, ...form }: Payload,
  view: { include_deactivated_groups: boolean },
) => (of_deactivated && !view.include_deactivated_groups ? null : form)

export const userGroupAdd = defineEvent('user_group/add', {
  doc: 'A group was created. Clients without `include_deactivated_groups` get this event also for a reactivated group.',
  fields: added,
  dependsOn,
  changesDirectory: true,
  render: ({ group, reactivated }: UserGroupAddPayload, view) =>
    reactivated && view.include_deactivated_groups ? null : { group },
  audit: ({ group }, { groups }) =>
    groups.has(group.id)
      ? []
      : [
          {
            subject: { group_id: group.id },
            before: null,
            after: pick(group, ['name', 'members', 'direct_subgroup_ids']),
          },
        ],
  apply: applyUserGroupAdd,
})

export const userGroupUpdate = defineEvent('user_group/update', {
  doc: 'The name, the description, a setting or the deactivation of a group changed.',
  fields: updated,
  dependsOn,
  changesDirectory: true,
  render: (payload: UserGroupUpdatePayload, view) => unlessHidden(payload, view),
  audit({ group_id, data }, { groups }) {
    const row = groups.get(group_id)
    return changed({ group_id }, row && { ...row, ...row.settings }, data)
  },
  apply: applyUserGroupUpdate,
})

export const userGroupRemove = defineEvent('user_group/remove', {
  doc: 'A group was deactivated; only for clients without `include_deactivated_groups`.',
  fields: removed,
  dependsOn,
  changesDirectory: true,
  render: (payload: FieldsOf<typeof removed>, view) => (view.include_deactivated_groups ? null : payload),
  apply: applyUserGroupRemove,
})

export const userGroupAddMembers = defineEvent('user_group/add_members', {
  doc: 'Users became direct members of a group; for system groups, because their role changed.',
  fields: members,
  dependsOn,
  changesDirectory: true,
  render: (payload: UserGroupMembersPayload, view) => unlessHidden(payload, view),
  audit: ({ group_id, user_ids }, before) => membership(group_id, before, { added: { user_ids } }),
  apply: applyUserGroupAddMembers,
})

export const userGroupRemoveMembers = defineEvent('user_group/remove_members', {
  doc: 'Users are no longer direct members of a group.',
  fields: members,
  dependsOn,
  changesDirectory: true,
  render: (payload: UserGroupMembersPayload, view) => unlessHidden(payload, view),
  audit: ({ group_id, user_ids }, before) => membership(group_id, before, { removed: { user_ids } }),
  apply: applyUserGroupRemoveMembers,
})

export const userGroupAddSubgroups = defineEvent('user_group/add_subgroups', {
  doc: 'Groups became direct subgroups of a group.',
  fields: subgroups,
  dependsOn,
  changesDirectory: true,
  render: (payload: UserGroupSubgroupsPayload, view) => unlessHidden(payload, view),
  audit: ({ group_id, direct_subgroup_ids }, before) =>
    membership(group_id, before, { added: { direct_subgroup_ids } }),
  apply: applyUserGroupAddSubgroups,
})

export const userGroupRemoveSubgroups = defineEvent('user_group/remove_subgroups', {
  doc: 'Groups are no longer direct subgroups of a group.',
  fields: subgroups,
  dependsOn,
  changesDirectory: true,
  render: (payload: UserGroupSubgroupsPayload, view) => unlessHidden(payload, view),
  audit: ({ group_id, direct_subgroup_ids }, before) =>
    membership(group_id, before, { removed: { direct_subgroup_ids } }),
  apply: applyUserGroupRemoveSubgroups,
})

export function applyUserGroupAdd(state: ClientState, { group }: z.output<typeof added>): void {
  if (state.realm_user_groups) state.realm_user_groups[group.id] = group
}

export function applyUserGroupUpdate(state: ClientState, event: z.output<typeof updated>): void {
  Object.assign(groupOf(state, event) ?? {}, event.data)
}

export function applyUserGroupRemove(state: ClientState, event: z.output<typeof removed>): void {
  delete state.realm_user_groups?.[event.group_id]
}

export function applyUserGroupAddMembers(state: ClientState, event: z.output<typeof members>): void {
  const group = groupOf(state, event)
  if (group) group.members = withIds(group.members, event.user_ids)
}

export function applyUserGroupRemoveMembers(state: ClientState, event: z.output<typeof members>): void {
  const group = groupOf(state, event)
  if (group) group.members = withoutIds(group.members, event.user_ids)
}

export function applyUserGroupAddSubgroups(state: ClientState, event: z.output<typeof subgroups>): void {
  const group = groupOf(state, event)
  if (group) group.direct_subgroup_ids = withIds(group.direct_subgroup_ids, event.direct_subgroup_ids)
}

export function applyUserGroupRemoveSubgroups(state: ClientState, event: z.output<typeof subgroups>): void {
  const group = groupOf(state, event)
  if (group) group.direct_subgroup_ids = withoutIds(group.direct_subgroup_ids, event.direct_subgroup_ids)
}

// Members of system groups follow from roles, and a change of role writes its own row.
const membership = (group_id: number, { groups }: AuditedState, after: AuditChange['after']): readonly AuditChange[] =>
  groups.get(group_id)?.is_system_group ? [] : [{ subject: { group_id }, before: null, after }]

const groupOf = (state: ClientState, { group_id }: { group_id: number }): UserGroup | undefined =>
  state.realm_user_groups?.[group_id]

const withIds = (ids: readonly number[], added: readonly number[]): number[] => [...new Set([...ids, ...added])]

const withoutIds = (ids: readonly number[], removed: readonly number[]): number[] =>
  ids.filter(id => !removed.includes(id))
