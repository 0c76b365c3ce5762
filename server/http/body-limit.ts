import type { Route } from '../api/route.js'
import type { UserRow } from '../store/users/users.js'
import { requireOpen } from './admission.js'
import type { ApiRequest } from './api-request.js'
import type { PipelineDeps } from './run.js'

/** Whether the operation reads the body itself while it arrives. */
export function readsStream(
  { router }: Pick<PipelineDeps, 'router'>,
  request: Pick<ApiRequest, 'method' | 'path'>,
): boolean {
  try {
    return router.find(request.path).operations.get(request.method)?.route.file === 'stream'
  } catch {
    return false
  }
}

/**
 * Largest body of a request in bytes: MAX_BODY_BYTES, or the operation's own limit if that is larger. The larger limit applies only to
 * callers who may use the operation; others could make the server buffer a body in vain. A session that this worker does not know yet has the
 * larger limit until it is found, and then perhaps the smaller one, with which `restrict` is called.
 */
export function bodyLimit(
  { ctx, keys, router }: Pick<PipelineDeps, 'ctx' | 'keys' | 'router'>,
  request: LimitedRequest,
  restrict: (maxBytes: number) => void,
): number {
  const { maxBodyBytes } = ctx.config
  try {
    const route = router.find(request.path).operations.get(request.method)?.route
    if (!route?.largeBody) return maxBodyBytes
    const user = request.identify(keys)
    if (user instanceof Promise) {
      const isAllowed = user.then(found => mayUse(route, found, request.client)).catch(() => false)
      // A caller whose key this worker does not know yet gets the smaller limit.
      if (!request.isOfPage) return maxBodyBytes
      void isAllowed.then(allowed => allowed || restrict(maxBodyBytes))
    } else if (!mayUse(route, user, request.client)) return maxBodyBytes
    return Math.max(maxBodyBytes, route.largeBody(ctx.config))
  } catch {
    // An unknown path or a missing permission is answered after the body has been read.
    return maxBodyBytes
  }
}

type LimitedRequest = Pick<ApiRequest, 'method' | 'path' | 'identify' | 'client'> & {
  /** A session authenticates the request. */
  readonly isOfPage: boolean
}

/** @throws {ApiError} unless the operation is open to this kind of caller */
function mayUse(route: Route, user: UserRow | null, client: string): boolean {
  if (!user || typeof route.allow !== 'function') return false
  requireOpen({ user, client }, route)
  return true
}
