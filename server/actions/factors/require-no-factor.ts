import { ApiError } from '../../../shared/errors.js'
import { isByPasswordAlone } from '../../auth/session-methods.js'
import type { Ctx } from '../../ctx.js'
import { needsFactor } from '../../policies/second-factors.js'
import { factorsOf, hasFactor } from '../../store/accounts/factors.js'
import { beginningOf } from '../../store/accounts/sessions.js'
import type { UserRow } from '../../store/users/users.js'

const factorRequired = () =>
  new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'This account needs a second factor: sign in through a browser, or copy the API key from the settings.',
  )

/** Refuses an account for which a password alone is not enough. @throws {ApiError} SECOND_FACTOR_REQUIRED */
export async function requireNoFactor({ sql, directory }: Ctx, user: UserRow): Promise<void> {
  if (!needsFactor(directory, user) && !hasFactor(await factorsOf(sql, user.id))) return
  throw factorRequired()
}

/**
 * Refuses a caller without a session for a change that would let it take the account over, where a password alone is not enough: an API key, which
 * programs keep, and a session that began with it. @throws {ApiError} SECOND_FACTOR_REQUIRED
 */
export async function requireOwnSession(ctx: Ctx, user: UserRow, sessionId: number | undefined): Promise<void> {
  if (!needsFactor(ctx.directory, user) && !hasFactor(await factorsOf(ctx.sql, user.id))) return
  const began = sessionId === undefined ? undefined : await beginningOf(ctx.sql, user.id, sessionId)
  if (!began || began.method === 'key') throw factorRequired()
}

/**
 * Refuses a session that began with a password alone, before the organization required a second factor.
 * @throws {ApiError} SECOND_FACTOR_REQUIRED
 */
export async function requireFactorOfSession(ctx: Ctx, user: UserRow, sessionId: number | undefined): Promise<void> {
  if (!needsFactor(ctx.directory, user) || sessionId === undefined) return
  const began = await beginningOf(ctx.sql, user.id, sessionId)
  // The session that added the first factor goes on.
  if (!began || !isByPasswordAlone(began.method) || hasFactor(await factorsOf(ctx.sql, user.id))) return
  throw new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'The organization requires a second factor: sign in again and set one up.',
  )
}
