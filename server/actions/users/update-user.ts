import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { whoMayAccess } from '../../lookups/known-users.js'
import { requireMayChangeEmails, requireMayChangeRole } from '../../policies/accounts.js'
import { requireAllowedAddress } from '../../policies/joining.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { readProfileFields } from '../../store/organization/custom-profile-fields.js'
import { dropPendingAddress } from '../../store/users/pending-addresses.js'
import { changeUsers, type UserChange } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'
import { checkedEmail, checkedFullName, requireFreeName, requireUnusedEmail } from '../accounts/account-details.js'
import { notifyOfEmail } from '../announce/emails.js'
import { notifyOfProfile } from '../announce/profiles.js'
import { administeredUser, type UserName } from './administered-user.js'
import { notifyOfRole } from './change-role.js'
import { type GivenValue, withProfileValues } from './profile-values.js'

interface UserUpdate {
  readonly full_name?: string | undefined
  readonly role?: number | undefined
  readonly profile_data?: readonly { id: number; value: GivenValue }[] | undefined
  readonly new_email?: string | undefined
}

/**
 * Changes a user for an administrator, or a bot for its owner; all or nothing.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function updateUser(ctx: Ctx, actor: Actor, name: UserName, update: UserUpdate): Promise<void> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const caller = currentUser(directory, actor.user)
    const user = await administeredUser(ctx, tx, caller, name)
    const change = await decide(tx, ctx, { caller, user, update })
    if (Object.keys(change).length === 0) return []
    const rows = await changeUsers(tx, [user], change)
    // A confirmation link that was requested before must not set another address afterwards.
    if (change.delivery_email !== undefined) await dropPendingAddress(tx, user.id)
    for (const row of rows) await notifyOfUpdate(ctx, tx, emit, { before: user, user: row })
    return rows
  })
  directory.adopt({ users: changed })
}

/** The fields of the update that differ, checked in the order of the parameters. */
async function decide(
  tx: Tx,
  ctx: Ctx,
  {
    caller,
    user,
    update: { full_name, role, profile_data, new_email },
  }: { readonly caller: UserRow; readonly user: UserRow; readonly update: UserUpdate },
): Promise<UserChange> {
  const { directory } = ctx
  const change: UserChange = {}
  if (full_name?.trim()) {
    const name = checkedFullName(full_name)
    if (name !== user.full_name) {
      requireFreeName(directory, name, user.id, caller)
      change.full_name = name
    }
  }
  if (role !== undefined && role !== user.role) {
    requireMayChangeRole(directory, caller, user, role)
    change.role = role
  }
  if (profile_data && profile_data.length > 0) {
    const data = withProfileValues(ctx, user, { fields: await readProfileFields(tx), given: profile_data })
    if (JSON.stringify(data) !== JSON.stringify(user.profile_data)) change.profile_data = data
  }
  if (new_email !== undefined) {
    requireMayChangeEmails(caller)
    const email = checkedEmail(new_email)
    requireAllowedAddress(directory, email)
    if (email !== user.delivery_email) {
      await requireUnusedEmail(tx, directory, email, user.id)
      change.delivery_email = email
    }
  }
  return change
}

/** Emits the events of a changed role, name, profile and address. */
export async function notifyOfUpdate(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { before, user }: { readonly before: UserRow; readonly user: UserRow },
): Promise<void> {
  const { directory } = ctx
  const after = directory.preview({ users: [user] })
  if (user.role !== before.role) await notifyOfRole(ctx, tx, emit, { before: directory, after, user })
  const audience = await whoMayAccess(tx, after, user)
  if (user.full_name !== before.full_name) {
    emit(realmUserUpdate, { person: { user_id: user.id, full_name: user.full_name } }, audience)
  }
  notifyOfProfile(emit, before, user, audience)
  if (user.delivery_email !== before.delivery_email) {
    notifyOfEmail(emit, ctx, after, { before, after: user, audience })
  }
}
