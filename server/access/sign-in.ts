import { ApiError } from '../../shared/errors.js'
import { limits } from '../../shared/limits.js'
import type { Ctx } from '../ctx.js'
import type { AttemptLimit } from '../redis/attempts.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'

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
 * Before a password is looked at: whoever guesses gets only so many tries for a name, right or wrong, whether the account
 * exists or not. Who was right calls `forgetPasswordAttempts`.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function countPasswordAttempt(ctx: Pick<Ctx, 'attempts' | 'clock'>, email: string): Promise<void> {
  const { wrong_passwords, wrong_passwords_secs } = limits
  await countAttempt(ctx, 'password', email.toLowerCase(), [{ most: wrong_passwords, seconds: wrong_passwords_secs }])
}

export const forgetPasswordAttempts = (ctx: Pick<Ctx, 'attempts'>, email: string): Promise<void> =>
  ctx.attempts.forget('password', email.toLowerCase())

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
