import { userGroupAddMembers, userGroupRemoveMembers } from '../../../shared/events/user-group.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { revealing } from '../../policies/channel-knowledge.js'
import { groupsByClaims, roleByClaims } from '../../policies/claims.js'
import { channelsHolding } from '../../policies/group-uses.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { changeGroupsOf } from '../../store/groups/group-changes.js'
import type { GroupRow } from '../../store/groups/groups.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { notifyOfChannelAccess } from '../announce/channel-access.js'
import { notifyOfRole } from '../users/change-role.js'

interface Claims {
  readonly mapping: Parameters<typeof roleByClaims>[2]
  /** The groups of the person at the provider. Absent: nothing changes. */
  readonly groups?: readonly string[] | undefined
}

/** Whether the role or the groups of a user differ from what the claims say. */
export function differsFromClaims(directory: Directory, user: UserRow, { mapping, groups }: Claims): boolean {
  if (!groups) return false
  const { joined, left } = groupsByClaims(directory, user, mapping, groups)
  return joined.length + left.length > 0 || roleByClaims(directory, user, mapping, groups) !== user.role
}

/**
 * Gives a user the role and the groups that the claims say, with their events. The transaction holds the organization for a change. The
 * number of statements does not depend on the number of groups.
 */
export async function applyClaims(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { user, mapping, groups }: Claims & { readonly user: UserRow },
): Promise<void> {
  if (!groups) return
  const { directory } = ctx
  const role = roleByClaims(directory, user, mapping, groups)
  const { joined, left } = groupsByClaims(directory, user, mapping, groups)
  if (role === user.role && joined.length + left.length === 0) return
  const version = await bumpVersion(tx)
  let before = directory
  if (role !== user.role) {
    const [changed] = await changeUsers(tx, [user], { role }, version)
    if (!changed) throw new Error('the account has vanished although the organization is held')
    const after = directory.preview({ users: [changed] })
    await notifyOfRole(ctx, tx, emit, { before, after, user: changed })
    before = after
  }
  await changeGroups(tx, emit, before, { userId: user.id, joined, left, version })
}

interface GroupsOfUser {
  readonly userId: number
  readonly joined: readonly GroupRow[]
  readonly left: readonly GroupRow[]
  readonly version: number
}

async function changeGroups(
  tx: Tx,
  emit: Emit,
  before: Directory,
  { userId, joined, left, version }: GroupsOfUser,
): Promise<void> {
  if (joined.length + left.length === 0) return
  const idsOf = (groups: readonly GroupRow[]) => groups.map(({ id }) => id)
  await changeGroupsOf(tx, userId, { joined: idsOf(joined), left: idsOf(left) }, version)
  const audience = before.derived(activeUsers)
  const change = { user_ids: [userId], of_deactivated: false }
  for (const { id: group_id } of joined) emit(userGroupAddMembers, { group_id, ...change }, audience)
  for (const { id: group_id } of left) emit(userGroupRemoveMembers, { group_id, ...change }, audience)
  const groups = [
    ...joined.map(group => ({ ...group, version, members: [...group.members, userId].sort((a, b) => a - b) })),
    ...left.map(group => ({ ...group, version, members: group.members.filter(id => id !== userId) })),
  ]
  const channels = concerned(before, groups)
  if (channels.length > 0)
    await notifyOfChannelAccess(tx, emit, { before, after: before.preview({ groups }), channels })
}

/** The private channels that grant a permission to one of the groups: its members come to know them, or no longer know them. */
function concerned(directory: Directory, groups: readonly GroupRow[]): ChannelRow[] {
  const found = groups.flatMap(({ id }) => channelsHolding(directory, id, revealing))
  return [...new Map(found.filter(channel => channel.invite_only).map(channel => [channel.id, channel])).values()]
}
