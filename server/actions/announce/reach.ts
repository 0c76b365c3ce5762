import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { isFullMember } from '../../policies/role-groups.js'
import { seesAllUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { notifyOfChannelAccess } from './channel-access.js'
import { notifyOfRoleGroups } from './role-groups.js'
import { notifyOfUsersGained, notifyOfUsersLost } from './sight.js'

interface Change {
  readonly before: Directory
  /** The directory with the new settings. */
  readonly after: Directory
}

/**
 * Emits the effects of a changed setting of the organization: whether guests know all users (can_access_all_users_group), and who is a full
 * member (waiting_period_threshold), with the channels that follow from it.
 */
export async function notifyOfReach(ctx: Ctx, tx: Tx, emit: Emit, { before, after }: Change): Promise<void> {
  const active = [...after.users.values()].filter(user => user.is_active && !user.is_system_bot)
  for (const user of active) {
    if (seesAllUsers(before, user) === seesAllUsers(after, user)) continue
    const sight = { before, after, viewerId: user.id }
    await notifyOfUsersGained(ctx, tx, emit, sight)
    await notifyOfUsersLost(tx, emit, sight)
  }
  const userIds = active.flatMap(user => (isFullMember(before, user) === isFullMember(after, user) ? [] : user.id))
  if (userIds.length === 0) return
  notifyOfRoleGroups(emit, before, after, userIds)
  await notifyOfChannelAccess(tx, emit, { before, after, userIds })
}
