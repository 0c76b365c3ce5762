import { realmUserRemove, realmUserUpdate } from '../../../shared/events/realm-user.js'
import { revoked } from '../../../shared/events/revoked.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import type { Directory } from '../../memory/directory.js'
import { requireMayLeave } from '../../policies/accounts.js'
import { ownActiveBots } from '../../policies/bots.js'
import { unknownName } from '../../presenters/addresses.js'
import type { Emit } from '../../realtime/emission.js'
import { replaceApiKeys } from '../../store/accounts/api-keys.js'
import { deleteSessionsOf } from '../../store/accounts/sessions.js'
import { activeSubscriptionsOf, subscribersOfChannels } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { addMail } from '../accounts/add-mail.js'
import { revokeInvitationsOf } from '../accounts/manage-invitation.js'
import { newApiKey } from '../accounts/new-secrets.js'
import { notifyStrangers } from '../announce/strangers.js'
import { notifyPeersOfLeaving } from '../announce/unsubscriptions.js'
import { deactivatableUser } from './deactivatable-user.js'
import { deleteMessagesOf, type KindsOfMessages } from './delete-messages-of.js'
import { deleteProfile } from './delete-profile.js'
import { revokeEverywhere } from './revoke-everywhere.js'

interface DeactivationActions extends KindsOfMessages {
  readonly delete_profile: boolean
}

interface Deactivation {
  readonly actions: DeactivationActions
  /** What a mail to the user says; may be blank. Absent: no mail. */
  readonly comment?: string | undefined
}

/**
 * Deactivates a person and its bots. Messages to be deleted are deleted first, in batches: if that is interrupted, the account is still
 * active and the request can be repeated.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function deactivateUser(
  ctx: Ctx,
  actor: Actor,
  userId: number,
  { actions, comment }: Deactivation,
): Promise<void> {
  const { directory } = ctx
  const find = (tx: Tx) => deactivatableUser(tx, directory, currentUser(directory, actor.user), userId)
  const deleteSome = () =>
    ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'share')
      return deleteMessagesOf(ctx, tx, emit, { user: await find(tx), actions })
    })
  let isMore = true
  while (isMore) isMore = await deleteSome()
  const ended = await ctx.write(async (tx, emit, { after: afterwards }) => {
    await directory.hold(tx, 'change')
    const user = await find(tx)
    // Messages that the user sent meanwhile; the lock prevents further ones until this transaction ends.
    let isLeft = true
    while (isLeft) isLeft = await deleteMessagesOf(ctx, tx, emit, { user, actions })
    const version = await bumpVersion(tx)
    const users = withBots(directory, user)
    const after = await deactivate(ctx, tx, emit, { users, version })
    if (actions.delete_profile) await deleteProfile(ctx, tx, emit, { organization: after, user_id: user.id, version })
    if (comment !== undefined) {
      addMail(ctx, afterwards, user, { kind: 'deactivation', account: user.delivery_email, comment })
    }
    return users
  })
  await revokeEverywhere(ctx, idsOf(ended))
}

/** Deactivates the caller's account, with its bots. @throws {ApiError} CANNOT_DEACTIVATE_LAST_USER */
export async function deactivateOwnUser(ctx: Ctx, actor: Actor): Promise<void> {
  const { directory } = ctx
  const ended = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    requireMayLeave(directory, user)
    const users = withBots(directory, user)
    await deactivate(ctx, tx, emit, { users, version: await bumpVersion(tx) })
    return users
  })
  await revokeEverywhere(ctx, idsOf(ended))
}

const idsOf = (users: readonly UserRow[]): number[] => users.map(user => user.id)

/** The user's active bots, and the user as the last one. */
export function withBots(directory: Directory, user: UserRow): UserRow[] {
  return [...ownActiveBots(directory, user), user]
}

/**
 * Deactivates accounts, ends their sessions and API keys, and emits the events in the order that clients rely on
 * (docs/protocol/events.md#deactivation): bots first, and for each account first to the peers of its channels, then to users who may know
 * it. The caller holds the organization.
 * @returns the directory after the change
 */
export async function deactivate(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { users, version }: { readonly users: readonly UserRow[]; readonly version: number },
): Promise<Directory> {
  const { directory: before } = ctx
  const ids = idsOf(users)
  const [subscriptions, knew] = [await activeSubscriptionsOf(tx, ids), await audiences(tx, before, users)]
  const after = before.preview({ users: await changeUsers(tx, users, { is_active: false }, version) })
  // Ends the keys for good: an account that returns fetches its new one.
  await replaceApiKeys(tx, new Map(ids.map(id => [id, newApiKey()])), version)
  await deleteSessionsOf(tx, ids, version)
  await revokeInvitationsOf(tx, emit, after, ids)
  const know = await audiences(tx, after, users)
  const subscribers = await subscribersOfChannels(tx, [...new Set(subscriptions.map(row => row.channel_id))])
  for (const user of users) {
    const own = subscriptions.filter(row => row.user_id === user.id)
    notifyPeersOfLeaving(emit, after, own, subscribers)
    notifyOfUser(emit, user, { knew: knew.get(user.id) ?? [], know: know.get(user.id) ?? [], gone: new Set(ids) })
    await notifyStrangers(tx, emit, { before, after, user, know: know.get(user.id) ?? [] })
    emit(revoked, { user_id: user.id }, [user.id])
  }
  return after
}

/** The users who may know each of the users, by user id. */
async function audiences(tx: Tx, directory: Directory, users: readonly UserRow[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  // All users know bots, so only the person may need a query.
  for (const user of users) found.set(user.id, await whoMayAccess(tx, directory, user))
  return found
}

function notifyOfUser(
  emit: Emit,
  { id: user_id }: UserRow,
  { knew, know, gone }: { knew: readonly number[]; know: readonly number[]; gone: ReadonlySet<number> },
): void {
  emit(realmUserUpdate, { person: { user_id, is_active: false } }, know)
  const still = new Set(know)
  const lost = knew.filter(id => !still.has(id) && !gone.has(id))
  emit(realmUserRemove, { person: { user_id, full_name: unknownName } }, lost)
}
