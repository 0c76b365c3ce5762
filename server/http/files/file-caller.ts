import { ApiError } from '../../../shared/errors.js'
import { sessionTokenIn } from '../../auth/session-cookie.js'
import { isHttps } from '../../config/addresses.js'
import type { UserRow } from '../../store/users/users.js'
import { admitNow } from '../admission.js'
import type { Connections } from '../connections.js'
import type { FileRequest } from './file-request.js'

/**
 * The account that asks for a file (null: a spectator), by the first that is there: the Authorization header, the query's `api_key`, the
 * cookie of a session (docs/protocol/files.md#credentials). The request is counted, and the directory is fresh then.
 * @throws {ApiError} UNAUTHORIZED, also for credentials that another worker has just revoked; RATE_LIMIT_HIT
 */
export async function callerOf(connections: Connections, request: FileRequest): Promise<UserRow | null> {
  const user = await admitNow(connections, {
    identify: keys => userOf(connections, request) ?? request.identify(keys),
    charge(found) {
      // What a spectator may read costs statements.
      if (!found) request.charge(null)
      request.charges.chargeRead(found?.id ?? null)
    },
  })
  if (!user) await connections.ctx.directory.fresh()
  return user
}

/** By what only reads of files accept; undefined: the header decides. */
function userOf(connections: Connections, request: FileRequest): UserRow | Promise<UserRow> | undefined {
  const { ctx, sessions } = connections
  const { charges } = request
  if (request.authorization !== '') return undefined
  if (request.apiKey !== '') {
    const owner = ctx.directory.usersByApiKey.get(request.apiKey)
    charges.admit()
    if (!owner?.is_active || !ctx.directory.organization.is_active)
      throw new ApiError('UNAUTHORIZED', 'Invalid API key')
    charges.succeeded()
    return owner
  }
  const token = sessionTokenIn(request.cookie, isHttps(ctx))
  return token === undefined ? undefined : sessions.findFresh(token, charges)
}
