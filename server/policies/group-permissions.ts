import { badRequest } from '../../shared/errors.js'
import type { GroupPermission } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { notGuest } from './allow.js'
import { groupGroup, isInGroup, type NamedGroup, realmGroup } from './groups.js'

const insufficient = () => badRequest('Insufficient permission')

/** @throws {ApiError} BAD_REQUEST for guests and for users without can_create_groups. */
export function requireMayCreateGroups(directory: Directory, user: UserRow): void {
  notGuest({ user })
  if (!isInGroup(directory, user.id, realmGroup(directory, 'can_create_groups'))) throw insufficient()
}

/** Whether the user may change everything in the group. A system group cannot be changed. */
function mayManageGroup(directory: Directory, user: UserRow, group: NamedGroup): boolean {
  if (group.is_system_group) return false
  return (
    isInGroup(directory, user.id, realmGroup(directory, 'can_manage_all_groups')) ||
    holds(directory, user, group, 'can_manage_group')
  )
}

/** @throws {ApiError} BAD_REQUEST */
export function requireMayManageGroup(directory: Directory, user: UserRow, group: NamedGroup): void {
  if (!mayManageGroup(directory, user, group)) throw insufficient()
}

/** The requested changes of a group's members. */
export interface MembershipChange {
  readonly add: readonly number[]
  readonly delete: readonly number[]
  readonly add_subgroups: readonly number[]
  readonly delete_subgroups: readonly number[]
}

/**
 * A user who manages the group may make all changes. Other users need the group's settings, and for themselves also can_join_group and
 * can_leave_group (docs/protocol/permissions.md#permissions-of-a-group).
 * @throws {ApiError} BAD_REQUEST
 */
export function requireMayChangeMembers(
  directory: Directory,
  user: UserRow,
  group: NamedGroup,
  change: MembershipChange,
): void {
  notGuest({ user })
  if (group.is_system_group) throw insufficient()
  if (mayManageGroup(directory, user, group)) return
  const may = (...names: GroupPermission[]) => names.some(name => holds(directory, user, group, name))
  const isSelf = (ids: readonly number[]) => ids.every(id => id === user.id)
  const isAllowed =
    (change.add.length === 0 || may('can_add_members_group') || (isSelf(change.add) && may('can_join_group'))) &&
    (change.delete.length === 0 ||
      may('can_remove_members_group') ||
      (isSelf(change.delete) && may('can_leave_group'))) &&
    (change.add_subgroups.length === 0 || may('can_add_members_group')) &&
    change.delete_subgroups.length === 0
  if (!isAllowed) throw insufficient()
}

/** Whether the user may add others to the group. */
export const mayAddMembers = (directory: Directory, user: UserRow, group: NamedGroup): boolean =>
  mayManageGroup(directory, user, group) ||
  (!group.is_system_group && holds(directory, user, group, 'can_add_members_group'))

const holds = (directory: Directory, user: UserRow, group: NamedGroup, name: GroupPermission): boolean =>
  isInGroup(directory, user.id, groupGroup(directory, group, name))
