import { badRequest } from '../../../shared/errors.js'
import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import { subscriptionPeerAdd } from '../../../shared/events/subscription.js'
import { userGroupAddMembers } from '../../../shared/events/user-group.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayReactivate } from '../../policies/accounts.js'
import { userSetting } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import { bumpSubscribersVersions, lockChannels } from '../../store/channels/channels.js'
import { activeSubscriptionsOf } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { audiencesOfChannels } from '../announce/channel-audiences.js'
import { notifyOfRoleGroups } from '../announce/role-groups.js'
import { notifyOfSettings } from '../announce/strangers.js'
import { notifyOfConsent } from '../announce/user-settings.js'
import { notifyOfStatuses, notifyOfUser } from '../announce/users.js'

/**
 * Reactivates an account, with its role, groups and subscriptions, and the API key that it got when it was deactivated. A person's bots stay deactivated until each is reactivated. @throws
 * {ApiError} BAD_REQUEST if `actor` may not do it, for an active account, for a deleted profile, and for a bot whose owner is deactivated
 */
export async function reactivateUser(ctx: Ctx, userId: number, actor?: Actor): Promise<void> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    if (actor) requireMayReactivate(currentUser(directory, actor.user), directory.users.get(userId))
    return (await reactivate(ctx, tx, emit, reactivatable(directory, userId))).users
  })
  directory.adopt({ users: changed })
}

/**
 * Reactivates an account and emits its events, in a transaction that holds the organization for a change.
 * @returns the row, and the directory after the change
 */
export async function reactivate(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  user: UserRow,
): Promise<{ readonly users: readonly UserRow[]; readonly after: Directory }> {
  const { directory } = ctx
  const knew = new Set(await whoMayAccess(tx, directory, user))
  const [row] = (await changeUsers(tx, [user], { is_active: true })) as [UserRow]
  const after = directory.preview({ users: [row] })
  const know = (await whoMayAccess(tx, after, row)).filter(id => id !== row.id)
  emit(
    realmUserUpdate,
    { person: { user_id: row.id, is_active: true } },
    know.filter(id => knew.has(id)),
  )
  notifyOfUser(emit, ctx, row, { known: know.filter(id => !knew.has(id)) })
  notifyOfStatuses(
    emit,
    ctx,
    [row],
    know.filter(id => knew.has(id)),
  )
  if (!row.is_bot) notifyOfConsent(after, emit, [row.id], userSetting(row, 'allow_private_data_export'))
  await notifyOfGroups(tx, emit, { before: directory, after, user: row })
  await notifyPeers(tx, emit, after, row)
  return { users: [row], after }
}

function reactivatable({ users }: Directory, userId: number): UserRow {
  const user = users.get(userId)
  if (!user || user.is_system_bot) throw badRequest('No such user')
  if (user.is_active) throw badRequest('The account is active.')
  if (user.is_deleted) throw badRequest('The personal data of the account has been deleted: it cannot be reactivated.')
  const owner = user.bot_owner_id === null ? undefined : users.get(user.bot_owner_id)
  if (owner?.is_active === false) throw badRequest('The owner of the bot is deactivated.')
  return user
}

/** Clients removed the user from its groups, and from values of settings, at the deactivation. */
async function notifyOfGroups(
  tx: Tx,
  emit: Emit,
  { before, after, user }: { readonly before: Directory; readonly after: Directory; readonly user: UserRow },
): Promise<void> {
  const otherUserIds = after.derived(activeUsers).filter(id => id !== user.id)
  notifyOfRoleGroups(emit, before, after, [user.id])
  const own = [...after.groups.values()].filter(group => group.members.includes(user.id)).sort((a, b) => a.id - b.id)
  for (const { id, name, deactivated } of own) {
    if (name === null) continue
    emit(userGroupAddMembers, { group_id: id, user_ids: [user.id], of_deactivated: deactivated }, otherUserIds)
  }
  const sets = own.filter(group => group.name === null)
  await notifyOfSettings(tx, emit, after, { sets, strangers: otherUserIds })
}

/** Emits peer_add for the channels to which the user is still subscribed. */
async function notifyPeers(tx: Tx, emit: Emit, after: Directory, user: UserRow): Promise<void> {
  const rows = await activeSubscriptionsOf(tx, [user.id])
  const ids = rows.map(row => row.channel_id)
  const channels = ids.flatMap(id => after.channels.get(id) ?? [])
  // Invalidates the workers' cached lists of subscribers, which lack the user.
  await lockChannels(tx, ids)
  if (ids.length > 0) await bumpSubscribersVersions(tx, ids)
  for (const [id, audience] of await audiencesOfChannels(tx, after, channels)) {
    const others = audience.filter(userId => userId !== user.id)
    emit(subscriptionPeerAdd, { stream_ids: [id], user_ids: [user.id] }, others)
  }
}
