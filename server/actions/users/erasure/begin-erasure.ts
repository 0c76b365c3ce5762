import { badRequest } from '../../../../shared/errors.js'
import type { Actor } from '../../../auth/actor.js'
import type { Ctx } from '../../../ctx.js'
import { type Erasure, eraseUser } from '../../../job-types/erase-user.js'
import { currentUser } from '../../../lookups/find-user.js'
import type { Directory } from '../../../memory/directory.js'
import { requireMayDeactivate } from '../../../policies/accounts.js'
import { owners } from '../../../policies/allow.js'
import { bumpVersion } from '../../../store/organization/organization.js'
import { forgetAddressAndName } from '../../../store/users/personal-data.js'
import type { UserRow } from '../../../store/users/users.js'
import { deactivate, withBots } from '../deactivate.js'
import { deleteProfile } from '../delete-profile.js'
import { revokeEverywhere } from '../revoke-everywhere.js'

/**
 * Begins the erasure of an account: it is deactivated, with its bots, and loses name, address, picture and profile at once; a job erases the
 * rest (docs/erasure.md). Can be repeated.
 * @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST
 */
export async function beginErasure(ctx: Ctx, actor: Actor, erasure: Erasure): Promise<void> {
  const { directory } = ctx
  const ended = await ctx.write(async (tx, emit, { audit, after }) => {
    await directory.hold(tx, 'change')
    const caller = currentUser(directory, actor.user)
    owners({ ...actor, user: caller })
    const user = erasable(directory, caller, erasure.user_id)
    const version = await bumpVersion(tx)
    const users = user.is_active ? withBots(directory, user) : []
    const then = users.length > 0 ? await deactivate(ctx, tx, emit, { users, version }) : directory
    if (!user.is_deleted) {
      await deleteProfile(ctx, tx, emit, { organization: then, user_id: user.id, version })
      await forgetAddressAndName(tx, user)
    }
    audit('user/erasure', { subject: { user_id: user.id }, before: null, after: { messages: erasure.messages } })
    after(eraseUser, erasure, { key: `erasure ${user.id}` })
    return users.map(one => one.id)
  })
  await revokeEverywhere(ctx, ended)
}

function erasable(directory: Directory, caller: UserRow, id: number): UserRow {
  const user = directory.users.get(id)
  if (!user || user.is_system_bot) throw badRequest('No such user')
  if (user.id === caller.id) throw badRequest('Another owner has to erase your account.')
  if (!user.is_bot) requireMayDeactivate(directory, caller, user)
  return user
}
