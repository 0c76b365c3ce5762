import { isAppCode, periodOf } from '../../auth/factors/authenticator-app.js'
import { plainCode } from '../../auth/factors/recovery-codes.js'
import type { WorkerCtx } from '../../ctx.js'
import { attemptFactor } from '../../limits/sign-in-attempts.js'
import { appOf, takePeriod, takeRecoveryCode } from '../../store/accounts/factors.js'
import type { UserRow } from '../../store/users/users.js'
import { changeFactors } from './change-factors.js'

/**
 * Uses a code up: of the authenticator app, or a recovery code. Wrong ones are limited.
 * @returns which of the two it was; undefined: it is wrong, or was used before
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export function tryCode(
  ctx: WorkerCtx,
  user: UserRow,
  { code, address }: { readonly code: string; readonly address: string },
): Promise<'code' | 'recovery code' | undefined> {
  const typed = plainCode(code)
  return attemptFactor(ctx, user, address, async () => {
    if (isAppCode(typed)) return (await takeAppCode(ctx, user.id, typed)) ? 'code' : undefined
    return (await takeCode(ctx, user.id, typed)) ? 'recovery code' : undefined
  })
}

async function takeAppCode({ sql, clock }: WorkerCtx, userId: number, code: string): Promise<boolean> {
  const app = await appOf(sql, userId)
  const period = app && periodOf(app.secret, code, clock.now())
  return period !== undefined && takePeriod(sql, userId, period)
}

const takeCode = (ctx: WorkerCtx, userId: number, code: string): Promise<boolean> =>
  changeFactors(ctx, userId, async ({ tx, note }) => {
    const isTaken = await takeRecoveryCode(tx, userId, code)
    if (isTaken) note('recovery_code_used')
    return isTaken
  })
