import { ApiError } from '../../shared/errors.js'
import { limits } from '../../shared/limits.js'
import type { Ctx } from '../ctx.js'
import type { AttemptLimit } from '../redis/attempts.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { oneAtATime } from './one-at-a-time.js'

/** Nobody signs in to an organization that was deactivated. @throws {ApiError} REALM_DEACTIVATED */
export function requireActiveOrganization(directory: Directory): void {
  if (!directory.organization.is_active) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated')
  }
}

/** The account that proved to be who it says. @throws {ApiError} USER_DEACTIVATED */
export function requireActiveAccount(user: UserRow): void {
  if (!user.is_active) throw new ApiError('USER_DEACTIVATED', 'Your account has been deactivated')
}

/**
 * Whether a password is right. Whoever guesses gets only so many tries for a name, whether the account exists or not: each
 * is counted before it is looked at, and the count ends with a right one. One at a time, because people sign in with many
 * clients at once: what is right must not be refused for others that are right, too, and have not been looked at yet.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function tryPassword(
  ctx: Pick<Ctx, 'attempts' | 'clock'>,
  email: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const name = email.toLowerCase()
  const { wrong_passwords: most, wrong_passwords_secs: seconds } = limits
  return oneAtATime(ctx.attempts, name, async () => {
    await countAttempt(ctx, 'password', name, [{ most, seconds }])
    const right = await isRight()
    if (right) await ctx.attempts.forget('password', name)
    return right
  })
}

/** @throws {ApiError} RATE_LIMIT_HIT, and then this one is not counted. */
export async function countAttempt(
  { attempts, clock }: Pick<Ctx, 'attempts' | 'clock'>,
  kind: string,
  who: string,
  most: readonly AttemptLimit[],
): Promise<void> {
  const wait = (await attempts.count(kind, who, most, clock.now())) / 1000
  if (wait > 0)
    throw new ApiError('RATE_LIMIT_HIT', `Too many attempts. Try again in ${Math.ceil(wait)} seconds.`, {
      'retry-after': wait,
    })
}

export const authenticationFailed = () =>
  new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
