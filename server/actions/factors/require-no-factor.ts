import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import { factorsOf, hasFactor } from '../../store/accounts/factors.js'
import type { UserRow } from '../../store/users/users.js'

/** Refuses an account for which a password alone is not enough. @throws {ApiError} SECOND_FACTOR_REQUIRED */
export async function requireNoFactor({ sql }: Ctx, { id }: UserRow): Promise<void> {
  if (!hasFactor(await factorsOf(sql, id))) return
  throw new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'This account needs a second factor: sign in through a browser, or copy the API key from the settings.',
  )
}
