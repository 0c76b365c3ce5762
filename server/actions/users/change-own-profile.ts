import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { accessibleUsers, whoMayAccess } from '../../lookups/known-users.js'
import { mayChangeOwnField } from '../../policies/profile-fields.js'
import { readProfileFields } from '../../store/organization/custom-profile-fields.js'
import { changeUsers } from '../../store/users/user-changes.js'
import { notifyOfProfile } from '../announce/profiles.js'
import { type GivenValue, withProfileValues } from './profile-values.js'

/**
 * Sets or deletes values of the caller's custom profile fields, all or none. Only administrators change fields that are not
 * `editable_by_user`. @throws {ApiError} BAD_REQUEST
 */
export async function changeOwnProfile(
  ctx: Ctx,
  actor: Actor,
  given: readonly { id: number; value: GivenValue }[],
): Promise<void> {
  const { directory } = ctx
  const changed = await ctx.write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    const fields = await readProfileFields(tx)
    const locked = fields.find(field => !mayChangeOwnField(user, field) && given.some(({ id }) => id === field.id))
    if (locked) {
      throw badRequest(`You are not allowed to change '${locked.name}'. Contact an administrator to update it.`)
    }
    const profile_data = withProfileValues(ctx, user, {
      fields,
      given,
      known: await accessibleUsers(tx, directory, user),
    })
    if (JSON.stringify(profile_data) === JSON.stringify(user.profile_data)) return []
    const rows = await changeUsers(tx, [user], { profile_data })
    for (const row of rows) notifyOfProfile(emit, user, row, await whoMayAccess(tx, directory, row))
    return rows
  })
  directory.adopt({ users: changed })
}
