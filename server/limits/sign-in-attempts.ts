import { ApiError } from '../../shared/errors.js'
import { limits } from '../../shared/limits.js'
import type { Clock } from '../concurrency/clock.js'
import { networkOf } from '../config/addresses.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import type { Sql } from '../store/driver/db.js'
import { insertAuditEntries } from '../store/organization/audit-log.js'
import { readPasswordHash, type UserRow } from '../store/users/users.js'
import type { AttemptLimit, Attempts } from './attempts.js'

// An email address has at most this many characters; a request may contain a longer name.
const maxNameLength = 254

/** What a limit of attempts needs; `Ctx` is one. */
interface AttemptDeps {
  readonly attempts: Attempts
  readonly clock: Clock
  readonly config: Config
  readonly sql: Sql
  readonly log: Log
}

/** A name, its account (undefined: there is none), and the client's address. */
interface SignIn {
  readonly email: string
  readonly userId: number | undefined
  readonly address: string
}

/**
 * Tries the password that an account has here, as `attemptSignIn`.
 * @returns the hash that the password matches; undefined: it is wrong
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export function tryPassword(
  deps: AttemptDeps,
  signIn: SignIn,
  isRight: (hash: string | null) => Promise<boolean>,
): Promise<string | undefined> {
  return attemptSignIn(deps, signIn, async hash => ((await isRight(hash)) && hash !== null ? hash : undefined))
}

/**
 * Tries a name and a password. Attempts are limited per name, whether the account exists or not: each attempt is counted before the check, and a right
 * password resets the count. The count belongs to the present password of the account, so a new password, however it was set, begins a new
 * one. Wrong passwords also count against the client's network, over all names (an empty address: the caller is authenticated by API key, so
 * there is no such limit). These limits do not apply to API keys. Attempts for one name run one after the other, because users sign in with
 * many clients at once: right attempts that wait for their check must not use up the limit.
 * @param check gets the hash of the account's password here, and returns what the password proves; undefined: it is wrong
 * @returns what `check` returns
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function attemptSignIn<Proof>(
  deps: AttemptDeps,
  { email, userId, address }: SignIn,
  check: (hash: string | null) => Promise<Proof | undefined>,
): Promise<Proof | undefined> {
  const name = email.toLowerCase()
  return deps.attempts.turns.run(name, async () => {
    // One query, whether the account exists or not, so that the response time does not reveal it.
    const hash = await readPasswordHash(deps.sql, userId ?? -1)
    return limited(deps, { kind: 'password', who: nameAndPassword(name, hash), name, address }, () => check(hash))
  })
}

/**
 * Tries a second factor of an account. Wrong ones are limited as wrong passwords are, with a count of their own per account, and together with them
 * per network.
 * @param check returns what the factor proves; undefined: it is wrong
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export function attemptFactor<Proof>(
  deps: AttemptDeps,
  { id, delivery_email }: Pick<UserRow, 'id' | 'delivery_email'>,
  address: string,
  check: () => Promise<Proof | undefined>,
): Promise<Proof | undefined> {
  const attempt = { kind: factorKind, who: String(id), name: delivery_email.toLowerCase(), address }
  return deps.attempts.turns.run(`${factorKind} ${id}`, () => limited(deps, attempt, check))
}

const factorKind = 'second factor'

interface LimitedAttempt {
  readonly kind: string
  /** What wrong attempts are counted by. */
  readonly who: string
  /** For the audit log. */
  readonly name: string
  readonly address: string
}

async function limited<Proof>(
  deps: AttemptDeps,
  { kind, who, name, address }: LimitedAttempt,
  check: () => Promise<Proof | undefined>,
): Promise<Proof | undefined> {
  const { wrong_passwords: most, wrong_passwords_secs: seconds } = limits
  const network = networkOf(address)
  const ofAddress = [{ most: deps.config.signInLimitAddress, seconds }]
  const isLimited = deps.config.signInLimitAddress > 0 && network !== ''
  try {
    if (isLimited) requireNoWait(await deps.attempts.wait('password-from', network, ofAddress, deps.clock.now()))
    await countAttempt(deps, kind, who, [{ most, seconds }])
  } catch (thrown) {
    if (thrown instanceof ApiError) await noteGuessing(deps, name, network, seconds)
    throw thrown
  }
  const proof = await check()
  if (proof !== undefined) {
    await deps.attempts.forget(kind, who)
    return proof
  }
  // Only wrong ones count against the network: a whole office may sign in from one.
  if (isLimited) await deps.attempts.count('password-from', network, ofAddress, deps.clock.now())
  return undefined
}

/** Lets an account that has to wait after wrong passwords or codes sign in again. */
export async function unlockSignIn(
  { attempts, sql }: Pick<AttemptDeps, 'attempts' | 'sql'>,
  email: string,
  userId: number,
): Promise<void> {
  await attempts.forget('password', nameAndPassword(email.toLowerCase(), await readPasswordHash(sql, userId)))
  await attempts.forget(factorKind, String(userId))
}

/** What wrong passwords of a name are counted by; Redis gets only a digest of it (`Attempts`). */
const nameAndPassword = (name: string, hash: string | null): string => `${name} ${hash ?? ''}`

/** Writes an audit-log row when an attempt limit is reached, one per name and network in the limit's window. */
async function noteGuessing(
  { attempts, clock, sql, log }: AttemptDeps,
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
    // The attempt stays refused even if the audit log cannot be written.
    log.warn({ error: String(error) }, 'a reached sign-in limit could not be written to the audit log')
  }
}

/** @throws {ApiError} RATE_LIMIT_HIT; the refused attempt is not counted. */
export async function countAttempt(
  { attempts, clock }: Pick<AttemptDeps, 'attempts' | 'clock'>,
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
