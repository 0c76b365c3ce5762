import { ApiError, badRequest } from '../../../shared/errors.js'
import { userGroupRemove, userGroupUpdate } from '../../../shared/events/user-group.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { findGroup } from '../../lookups/find-group.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { type Objection, objectionsTo } from '../../policies/group-objections.js'
import { requireMayManageGroup } from '../../policies/group-permissions.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import { subscribedAmong } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { updateGroup } from '../../store/groups/group-changes.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'

/**
 * A deactivated group cannot be mentioned or given a permission. It keeps its members, and updateGroup can reactivate it.
 * @throws {ApiError} CANNOT_DEACTIVATE_GROUP_IN_USE, BAD_REQUEST
 */
export async function deactivateGroup(ctx: Ctx, actor: Actor, groupId: number): Promise<void> {
  const { directory } = ctx
  const group = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const group = findGroup(directory, groupId)
    const caller = currentUser(directory, actor.user)
    requireMayManageGroup(directory, caller, group)
    if (group.deactivated) throw badRequest('User group is deactivated.')
    const objections = objectionsTo(directory, group)
    if (objections.length > 0) {
      throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'You cannot deactivate a user group in use.', {
        objections: await knownTo(tx, directory, caller, objections),
      })
    }
    const version = await bumpVersion(tx)
    const changed = { ...group, deactivated: true, version }
    await updateGroup(tx, group.id, changed, version)
    announceDeactivation(emit, directory, group.id)
    return changed
  })
  directory.adopt({ groups: [group] })
}

export function announceDeactivation(emit: Emit, directory: Directory, group_id: number): void {
  const audience = directory.derived(activeUsers)
  emit(userGroupUpdate, { group_id, data: { deactivated: true }, of_deactivated: true }, audience)
  emit(userGroupRemove, { group_id }, audience)
}

/** Channels that the caller may not know prevent the deactivation too, but the error does not name them. */
async function knownTo(
  tx: Tx,
  directory: Directory,
  caller: UserRow,
  objections: readonly Objection[],
): Promise<Objection[]> {
  const channelIds = objections.flatMap(one => (one.type === 'channel' ? one.channel_id : []))
  const rows = channelIds.length > 0 ? await subscribedAmong(tx, [caller.id], channelIds) : []
  const subscribed = new Set(rows.map(row => row.channel_id))
  return objections.filter(one => {
    const channel = one.type === 'channel' ? directory.channels.get(one.channel_id) : undefined
    return !channel || knowsChannel(directory, caller, channel, subscribed.has(channel.id))
  })
}
