import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { requireMayChangeAccess } from '../../policies/accounts.js'
import { deleteFactors, factorsOf, hasFactor } from '../../store/accounts/factors.js'
import { signOut } from '../accounts/end-sessions.js'
import { changeFactors, giveRecoveryCodes } from './change-factors.js'

/**
 * Removes all second factors of a person who has lost them, and ends its sessions, because the one who found them may have one.
 * @param actor null: the operator
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function removeFactors(ctx: Ctx, actor: Actor | null, userId: number): Promise<void> {
  await changeFactors(ctx, userId, async ({ tx, emit, user, note }) => {
    if (actor) requireMayChangeAccess(currentUser(ctx.directory, actor.user), user)
    if (!(await deleteFactors(tx, userId))) throw badRequest('The account has no second factor.')
    await signOut(tx, emit, userId)
    note('all_removed')
  })
}

/** Replaces the recovery codes of an account with a second factor. @throws {ApiError} BAD_REQUEST */
export function renewRecoveryCodes(ctx: Ctx, userId: number): Promise<string[]> {
  return changeFactors(ctx, userId, async change => {
    if (!hasFactor(await factorsOf(change.tx, userId))) throw badRequest('The account has no second factor.')
    change.note('recovery_codes_renewed')
    return giveRecoveryCodes(change)
  })
}
