import { ApiError } from '../../../shared/errors.js'
import { userOfSession } from '../../auth/file-tokens.js'
import { CallerCharges } from '../../limits/caller-charges.js'
import type { UserRow } from '../../store/users.js'
import type { Connections } from '../connections.js'
import type { FileRequest } from './file-request.js'

/** The cookie with which pages read files. */
export const sessionCookie = 'parley_files'

/**
 * The account that asks for a file (null: a spectator), by the first that is there: the Authorization header, the query's `api_key`, the
 * cookie (docs/protocol/files.md#credentials).
 * @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT
 */
export async function callerOf({ ctx, keys, limits }: Connections, request: FileRequest): Promise<UserRow | null> {
  const charges = new CallerCharges(limits, request)
  if (request.authorization !== '') return keys.fromHeader(request.authorization, charges)
  if (request.apiKey !== '') {
    const owner = ctx.directory.usersByApiKey.get(request.apiKey)
    charges.admit()
    if (!owner?.is_active || !ctx.directory.organization.is_active)
      throw new ApiError('UNAUTHORIZED', 'Invalid API key')
    charges.succeeded()
    return owner
  }
  const session = request.cookieNamed(sessionCookie)
  const user = session === undefined ? undefined : userOfSession(ctx, session)
  if (user) return user
  // What a spectator may read costs statements, so it counts.
  charges.charge(null)
  return null
}
