import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { findUserByEmail } from '../../lookups/find-user.js'
import { accessibleUsers } from '../../lookups/known-users.js'
import type { Tx } from '../../store/driver/db.js'
import type { UserRow } from '../../store/users/users.js'

/** User ids, or addresses of the API; empty: the caller. */
export type Principals = readonly number[] | readonly string[]

/** The number of subscription rows is the product of the two. @throws {ApiError} BAD_REQUEST */
export function requireFewPairs(channels: number, principals: Principals): void {
  const { most } = budgets.subscriptionsPerRequest
  if (channels * Math.max(1, principals.length) > most) {
    throw badRequest(`A request can change at most ${most} subscriptions.`)
  }
}

/**
 * The users of a request, without duplicates. `others`: whether it names other users than the caller. A caller who is named by address
 * counts as another user.
 */
export async function resolvePrincipals(
  tx: Tx,
  ctx: Ctx,
  caller: UserRow,
  principals: Principals,
): Promise<{ rows: UserRow[]; others: boolean }> {
  if (principals.length === 0) return { rows: [caller], others: false }
  const rows = await resolveUsers(tx, ctx, caller, principals)
  return { rows, others: principals.some(principal => principal !== caller.id) }
}

/** Active users without duplicates. @throws {ApiError} BAD_REQUEST for a missing user and for one that the caller may not see. */
export async function resolveUsers(tx: Tx, ctx: Ctx, caller: UserRow, principals: Principals): Promise<UserRow[]> {
  const { directory, realmHost } = ctx
  const known = await accessibleUsers(tx, directory, caller)
  const users = new Set<UserRow>()
  for (const principal of principals) {
    const user =
      typeof principal === 'number'
        ? directory.users.get(principal)
        : findUserByEmail(directory, caller, principal, realmHost)
    const accessible = user && (user.is_bot || !known || known.has(user.id))
    if (!accessible || !user.is_active || user.is_system_bot) throw badRequest(`No such user: ${principal}`)
    users.add(user)
  }
  return [...users]
}
