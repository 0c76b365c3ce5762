import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Ctx } from '../../ctx.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'
import { notifyOfBotsInSight } from '../announce/bots.js'
import { notifyOfChannelAccess } from '../announce/channel-access.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'
import { notifyOfEmailsInSight, notifyOfUsersGained, notifyOfUsersLost } from '../announce/sight.js'

/**
 * Emits the events of a user's new role, in the order that clients rely on (docs/protocol/events.md#a-new-role): the role, the system
 * groups, and then, to the user itself, the users and channels that it now knows or no longer knows.
 */
export async function notifyOfRole(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { before, after, user }: { before: Directory; after: Directory; user: UserRow },
): Promise<void> {
  const { id: user_id, role } = user
  emit(realmUserUpdate, { person: { user_id, role } }, await whoMayAccess(tx, after, user))
  notifyOfRoleGroups(emit, before, after, [user_id])
  if (!user.is_active) return
  const sight = { before, after, viewerId: user_id }
  await notifyOfUsersGained(ctx, tx, emit, sight)
  await notifyOfChannelAccess(tx, emit, { before, after, userIds: [user_id] })
  await notifyOfUsersLost(tx, emit, sight)
  await notifyOfEmailsInSight(ctx, tx, emit, sight)
  notifyOfBotsInSight(emit, sight, ctx)
}
