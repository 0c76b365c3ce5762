import { badRequest } from '../../../shared/errors.js'
import {
  userGroupAddMembers,
  userGroupAddSubgroups,
  userGroupRemoveMembers,
  userGroupRemoveSubgroups,
} from '../../../shared/events/user-group.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { findGroup } from '../../lookups/find-group.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { revealing } from '../../policies/channel-knowledge.js'
import { type MembershipChange, requireMayChangeMembers } from '../../policies/group-permissions.js'
import { channelsHolding, groupsHolding } from '../../policies/group-uses.js'
import type { NamedGroup } from '../../policies/groups.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { changeMembership } from '../../store/groups/group-changes.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { notifyOfChannelAccess } from '../announce/channel-access.js'
import { ascending, requireMembers, requireSubgroups } from './checks.js'
import { memberNotices } from './member-notices.js'

/**
 * Applies all changes or none, in the order add, delete, add_subgroups, delete_subgroups. Transactions that change groups run one after the
 * other, so two of them cannot together create a cycle. The people concerned get notices.
 * @throws {ApiError} BAD_REQUEST
 */
export async function changeMembers(ctx: Ctx, actor: Actor, groupId: number, given: MembershipChange): Promise<void> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit, { after: afterwards }) => {
    await directory.hold(tx, 'change')
    const group = findGroup(directory, groupId)
    const caller = currentUser(directory, actor.user)
    requireMayChangeMembers(directory, caller, group, given)
    const change = checkedChange(directory, group, given)
    const row = await storeMembers(tx, emit, { directory, group, change })
    addNotices(afterwards, memberNotices(directory, caller, group, change))
    return row
  })
  directory.adopt({ groups: [changed] })
}

interface CheckedChange {
  readonly directory: Directory
  readonly group: NamedGroup
  readonly change: MembershipChange
}

/** Stores a checked change and emits its events, in a transaction that holds the organization for a change. @returns the group after it */
export async function storeMembers(
  tx: Tx,
  emit: Emit,
  { directory, group, change }: CheckedChange,
): Promise<NamedGroup> {
  const after = membersAfter(group, change)
  const version = await bumpVersion(tx)
  await changeMembership(tx, group.id, differences(group, after), version)
  announce(emit, directory, group, change)
  const row = { ...group, ...after, version }
  await notifyOfReaders(tx, emit, directory, row)
  return row
}

function checkedChange(directory: Directory, group: NamedGroup, given: MembershipChange): MembershipChange {
  const members = new Set(group.members)
  const subgroups = new Set(group.subgroups)
  const add = requireMembers(directory, given.add)
  for (const id of add) if (members.has(id)) throw badRequest(`User ${id} is already a member of this group.`)
  for (const id of add) members.add(id)
  const removed = requireMembers(directory, given.delete)
  for (const id of removed) {
    if (!members.has(id)) throw badRequest(`There is no member ${id} in this user group.`)
  }
  const add_subgroups = requireSubgroups(directory, given.add_subgroups)
  const holders = groupsHolding(directory, group.id)
  for (const id of add_subgroups) {
    if (subgroups.has(id)) throw badRequest(`User group ${id} is already a subgroup of this group.`)
    if (holders.has(id)) throw badRequest('A user group cannot contain itself, directly or through its subgroups.')
  }
  for (const id of add_subgroups) subgroups.add(id)
  const delete_subgroups = requireSubgroups(directory, given.delete_subgroups)
  for (const id of delete_subgroups) {
    if (!subgroups.has(id)) throw badRequest(`User group ${id} is not a subgroup of this group.`)
  }
  return { add, delete: removed, add_subgroups, delete_subgroups }
}

type Membership = Pick<NamedGroup, 'members' | 'subgroups'>

/** Additions come first: a user who is both added and deleted is no member afterwards. */
function membersAfter(group: Membership, change: MembershipChange): Membership {
  const without = (ids: readonly number[], gone: readonly number[]) => {
    const leaves = new Set(gone)
    return ascending(ids).filter(id => !leaves.has(id))
  }
  return {
    members: without([...group.members, ...change.add], change.delete),
    subgroups: without([...group.subgroups, ...change.add_subgroups], change.delete_subgroups),
  }
}

function differences(before: Membership, after: Membership) {
  const minus = (ids: readonly number[], others: readonly number[]) => {
    const known = new Set(others)
    return ids.filter(id => !known.has(id))
  }
  return {
    joined: minus(after.members, before.members),
    left: minus(before.members, after.members),
    joinedGroups: minus(after.subgroups, before.subgroups),
    leftGroups: minus(before.subgroups, after.subgroups),
  }
}

function announce(
  emit: Emit,
  directory: Directory,
  { id: group_id, deactivated }: NamedGroup,
  change: MembershipChange,
) {
  const audience = directory.derived(activeUsers)
  const of_deactivated = deactivated
  // Clients know no deactivated members.
  const active = (ids: readonly number[]) => ids.filter(id => directory.users.get(id)?.is_active)
  const [added, removed] = [active(change.add), active(change.delete)]
  if (added.length > 0) emit(userGroupAddMembers, { group_id, user_ids: added, of_deactivated }, audience)
  if (removed.length > 0) emit(userGroupRemoveMembers, { group_id, user_ids: removed, of_deactivated }, audience)
  if (change.add_subgroups.length > 0) {
    emit(userGroupAddSubgroups, { group_id, direct_subgroup_ids: change.add_subgroups, of_deactivated }, audience)
  }
  if (change.delete_subgroups.length > 0) {
    emit(userGroupRemoveSubgroups, { group_id, direct_subgroup_ids: change.delete_subgroups, of_deactivated }, audience)
  }
}

/** If a private channel grants a permission to the group, its members come to know the channel, or no longer know it. */
async function notifyOfReaders(tx: Tx, emit: Emit, before: Directory, group: NamedGroup): Promise<void> {
  const channels = channelsHolding(before, group.id, revealing).filter(channel => channel.invite_only)
  if (channels.length === 0) return
  await notifyOfChannelAccess(tx, emit, { before, after: before.preview({ groups: [group] }), channels })
}
