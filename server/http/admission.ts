import { ApiError } from '../../shared/errors.js'
import type { Allow } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { ApiKeys } from '../auth/api-key.js'
import type { WorkerCtx } from '../ctx.js'
import { isOpenTo } from '../policies/bots.js'
import type { UserRow } from '../store/users/users.js'

/** A request before its caller is admitted: over HTTP, in a frame of a socket, by tus, for a file or for metrics. */
export interface Applicant {
  /**
   * The account that the request names by what this door accepts; null: none. A promise only where the directory has to be refreshed.
   * @throws {ApiError} UNAUTHORIZED; RATE_LIMIT_HIT after too many wrong credentials from the client's network
   */
  identify(keys: ApiKeys): UserRow | null | Promise<UserRow>
  /** Counts the request against the account, null: against the client's network. @throws {ApiError} RATE_LIMIT_HIT */
  charge(user: UserRow | null): void
}

/** An applicant whose credentials were checked before: a socket. */
interface KnownApplicant extends Applicant {
  identify(keys: ApiKeys): UserRow | null
}

/** What decides who may use a door. */
interface Door {
  readonly method: string
  readonly path: string
  readonly allow: Allow
}

/**
 * Admits the caller of a request, at every door in this order; later steps do not run if one refuses.
 *
 * 1. Credentials: 401, and 429 after too many wrong ones.
 * 2. Rate limit, of the account or of the client's network: 429.
 * 3. `admitNow` only: whether the account still has these credentials: 401.
 * 4. `requireOpen`, once the operation is known: whether it is open to this kind of caller: 401, 400 with a code of the role.
 */
export function admit(keys: ApiKeys, applicant: KnownApplicant): UserRow | null
export function admit(keys: ApiKeys, applicant: Applicant): UserRow | null | Promise<UserRow>
export function admit(keys: ApiKeys, applicant: Applicant): UserRow | null | Promise<UserRow> {
  const found = applicant.identify(keys)
  if (found instanceof Promise) {
    return found.then(user => {
      applicant.charge(user)
      return user
    })
  }
  applicant.charge(found)
  return found
}

/** As `admit`, for doors without an operation, which may not read the account again: refuses also a key that another worker has just revoked. */
export async function admitNow(
  { ctx, keys }: { readonly ctx: Pick<WorkerCtx, 'directory'>; readonly keys: ApiKeys },
  applicant: Applicant,
): Promise<UserRow | null> {
  const before = await admit(keys, applicant)
  if (!before) return null
  await ctx.directory.fresh()
  return keys.current(before)
}

/** @throws {ApiError} UNAUTHORIZED, or a code of the role */
export function requireOpen(actor: Actor | null, door: Door): void {
  if (actor && !isOpenTo(actor.user, door)) {
    throw new ApiError('UNAUTHORIZED', 'This API is not available to incoming webhook bots.')
  }
  if (typeof door.allow !== 'function') return
  if (!actor) throw notLoggedIn()
  door.allow(actor)
}

export const notLoggedIn = () => new ApiError('UNAUTHORIZED', 'Not logged in: API authentication is required.')
