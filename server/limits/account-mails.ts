import { limits } from '../../shared/limits.js'
import type { Clock } from '../concurrency/clock.js'
import { networkOf } from '../config/addresses.js'
import type { Config } from '../config.js'
import type { Attempts } from './attempts.js'
import { countAttempt } from './sign-in-attempts.js'

/** What the limits need; `Ctx` is one. */
interface Deps {
  readonly attempts: Attempts
  readonly clock: Clock
  readonly config: Config
}

const daySeconds = 86_400

/**
 * Counts a request of a caller without an account that sends mails, against the network of the client's address (IPv6: a /64).
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function countMailRequest(deps: Deps, clientAddress: string): Promise<void> {
  const { accountMailLimitAddress: most } = deps.config
  const network = networkOf(clientAddress)
  if (most === 0 || network === '') return
  await countAttempt(deps, 'mails-from', network, [{ most, seconds: daySeconds }])
}

/**
 * Counts a mail of this kind to an address, whether it has an account or not.
 * @throws {ApiError} RATE_LIMIT_HIT
 */
export async function countMailTo(deps: Deps, kind: 'join' | 'password', email: string): Promise<void> {
  await countAttempt(deps, `mail-${kind}`, email.toLowerCase(), limits.account_mails)
}

/** As `countMailTo`; false: the address has got enough such mails. */
export async function mayMailTo({ attempts, clock }: Deps, kind: 'find', email: string): Promise<boolean> {
  return (await attempts.count(`mail-${kind}`, email.toLowerCase(), limits.account_mails, clock.now())) === 0
}
