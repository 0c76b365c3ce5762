import { ApiError } from '../../shared/errors.js'
import { limits } from '../../shared/limits.js'
import type { Ctx } from '../ctx.js'
import type { AttemptLimit } from '../redis/attempts.js'
import { insertAuditEntries } from '../store/audit-log.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { networkOf } from '../text/addresses.js'
import { oneAtATime } from './one-at-a-time.js'

// An address has at most so many characters; a guesser may send more.
const maxNameLength = 254

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
 * is counted before it is looked at, and the count ends with a right one. Wrong ones are counted for where they come from, too, over
 * all names (empty: the caller is known by its key). A key is no password: whoever has one goes on. One at a time, because people sign in with many
 * clients at once: what is right must not be refused for others that are right, too, and have not been looked at yet.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function tryPassword(
  ctx: Pick<Ctx, 'attempts' | 'clock' | 'config' | 'sql' | 'log'>,
  email: string,
  address: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const name = email.toLowerCase()
  const { wrong_passwords: most, wrong_passwords_secs: seconds } = limits
  const network = networkOf(address)
  const ofAddress = [{ most: ctx.config.signInLimitAddress, seconds }]
  const isLimited = ctx.config.signInLimitAddress > 0 && network !== ''
  return oneAtATime(ctx.attempts, name, async () => {
    try {
      if (isLimited) requireNoWait(await ctx.attempts.wait('password-from', network, ofAddress, ctx.clock.now()))
      await countAttempt(ctx, 'password', name, [{ most, seconds }])
    } catch (thrown) {
      if (thrown instanceof ApiError) await noteGuessing(ctx, name, network, seconds)
      throw thrown
    }
    const right = await isRight()
    if (right) await ctx.attempts.forget('password', name)
    // Only what is wrong counts for the address: a whole office signs in from one.
    else if (isLimited) await ctx.attempts.count('password-from', network, ofAddress, ctx.clock.now())
    return right
  })
}

/** That somebody guesses is a row of the audit log, one for each name and address while it lasts. */
async function noteGuessing(
  { attempts, clock, sql, log }: Pick<Ctx, 'attempts' | 'clock' | 'sql' | 'log'>,
  name: string,
  network: string,
  seconds: number,
): Promise<void> {
  try {
    if ((await attempts.count('guessing', `${name} ${network}`, [{ most: 1, seconds }], clock.now())) > 0) return
    const subject = { name: name.slice(0, maxNameLength) }
    const what = { operation: 'sign in', request_id: '', address: network, event: 'sign_in_limit', subject }
    await insertAuditEntries(sql, [{ actor_id: null, ...what, before: null, after: null }])
  } catch (error) {
    // The refusal stands, whether it can be noted or not.
    log.warn({ error: String(error) }, 'a limit of signing in could not be put into the audit log')
  }
}

/** @throws {ApiError} RATE_LIMIT_HIT, and then this one is not counted. */
export async function countAttempt(
  { attempts, clock }: Pick<Ctx, 'attempts' | 'clock'>,
  kind: string,
  who: string,
  most: readonly AttemptLimit[],
): Promise<void> {
  requireNoWait(await attempts.count(kind, who, most, clock.now()))
}

function requireNoWait(milliseconds: number): void {
  const wait = milliseconds / 1000
  if (wait > 0)
    throw new ApiError('RATE_LIMIT_HIT', `Too many attempts. Try again in ${Math.ceil(wait)} seconds.`, {
      'retry-after': wait,
    })
}

export const authenticationFailed = () =>
  new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
