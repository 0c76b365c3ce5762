import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { changeUsers } from '../../store/users/user-changes.js'
import type { UserRow } from '../../store/users/users.js'

/** Rights that no role includes; the operator grants them with a command. */
export const grantableRights = ['can_create_users', 'can_change_user_emails'] as const
export type GrantableRight = (typeof grantableRights)[number]

/** Emits no event: operations check the right when they run. @throws {ApiError} BAD_REQUEST for an unknown address */
export async function grantRight(ctx: Ctx, email: string, right: GrantableRight, isGranted: boolean): Promise<UserRow> {
  const { directory } = ctx
  const changed = await ctx.write(async tx => {
    await directory.hold(tx, 'change')
    const user = directory.usersByEmail.get(email.trim().toLowerCase())
    if (!user || user.is_system_bot) throw badRequest(`No account has the address ${email}.`)
    return changeUsers(tx, [user], { [right]: isGranted })
  })
  directory.adopt({ users: changed })
  return changed[0] as UserRow
}
