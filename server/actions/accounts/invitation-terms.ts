import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { WorkerCtx } from '../../ctx.js'
import { findActiveGroup } from '../../lookups/find-group.js'
import { requireMayChangeMembers } from '../../policies/group-permissions.js'
import { canBeNamed, mayInviteTo, requireMayGiveRole, requireMayWriteWelcome } from '../../policies/invitations.js'
import { countOpenInvitations, type InvitationTerms } from '../../store/accounts/invitations.js'
import { subscribedAmong } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { lockUser } from '../../store/personal/own-row.js'
import type { UserRow } from '../../store/users/users.js'

/** What an inviter asks for. */
export interface WantedTerms {
  readonly role: number
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly withDefaultChannels: boolean
  readonly notifiesInviter: boolean
  /** How long the invitation can be used; null: until it is revoked. */
  readonly minutes: number | null
  readonly welcomeText: string | null
}

/**
 * The terms of `count` new invitations of the user, in a transaction that holds the organization.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL for what the user may not give to others
 */
export async function checkedTerms(
  ctx: WorkerCtx,
  tx: Tx,
  user: UserRow,
  { wanted, count }: { readonly wanted: WantedTerms; readonly count: number },
): Promise<InvitationTerms> {
  const { role, channelIds, groupIds, minutes } = wanted
  const created = new Date(ctx.clock.now())
  requireMayGiveRole(user, role)
  if (wanted.welcomeText !== null) requireMayWriteWelcome(user)
  for (const id of groupIds) {
    const change = { add: [newAccount], delete: [], add_subgroups: [], delete_subgroups: [] }
    requireMayChangeMembers(ctx.directory, user, findActiveGroup(ctx.directory, id), change)
  }
  await requireMayInviteTo(ctx, tx, user, channelIds)
  const { most } = budgets.openInvitations
  // Of two requests of the account at once, the second one counts what the first one has made.
  await lockUser(tx, user.id)
  if ((await countOpenInvitations(tx, user.id, created)) + count > most) {
    throw badRequest(`An account may have at most ${most} open invitations.`)
  }
  return {
    inviter_id: user.id,
    role,
    created,
    expires: minutes === null ? null : new Date(created.getTime() + minutes * 60_000),
    channel_ids: channelIds,
    group_ids: groupIds,
    with_default_channels: wanted.withDefaultChannels,
    notifies_inviter: wanted.notifiesInviter,
    welcome_text: wanted.welcomeText,
  }
}

// The id of no account: the new one has none yet.
const newAccount = -1

async function requireMayInviteTo(
  { directory }: WorkerCtx,
  tx: Tx,
  user: UserRow,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const subscribed = new Set((await subscribedAmong(tx, [user.id], ids)).map(row => row.channel_id))
  const channels = ids.map(id => {
    const channel = directory.channels.get(id)
    if (!channel || !canBeNamed(directory, user, channel, subscribed.has(id))) {
      throw badRequest(`Invalid channel ID ${id}. No invites were sent.`)
    }
    return channel
  })
  if (!channels.every(channel => mayInviteTo(directory, user, channel, subscribed.has(channel.id)))) {
    throw badRequest('You do not have permission to subscribe other users to channels.')
  }
}
