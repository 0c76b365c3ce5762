import type { Actor } from '../../../auth/actor.js'
import type { Ctx } from '../../../ctx.js'
import { type Erasure, eraseUser, erasureKey } from '../../../job-types/erase-user.js'
import { currentUser } from '../../../lookups/find-user.js'
import { erasableUser } from '../../../policies/accounts.js'
import { bumpVersion } from '../../../store/organization/organization.js'
import { forgetAddressAndName } from '../../../store/users/personal-data.js'
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
    const user = erasableUser(directory, currentUser(directory, actor.user), erasure.user_id)
    const version = await bumpVersion(tx)
    const users = user.is_active ? withBots(directory, user) : []
    const then = users.length > 0 ? await deactivate(ctx, tx, emit, { users, version }) : directory
    if (!user.is_deleted) {
      await deleteProfile(ctx, tx, emit, { organization: then, user_id: user.id, version })
      await forgetAddressAndName(tx, user)
    }
    audit('user/erasure', { subject: { user_id: user.id }, before: null, after: { messages: erasure.messages } })
    after(eraseUser, erasure, { key: erasureKey(user.id) })
    return users.map(one => one.id)
  })
  await revokeEverywhere(ctx, ended)
}
