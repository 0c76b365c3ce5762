import type { Route } from '../api/route.js'
import type { ApiKeys } from '../auth/api-key.js'
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
 * callers who may use the operation; others could make the server buffer a body in vain.
 */
export function bodyLimit(
  { ctx, keys, router }: Pick<PipelineDeps, 'ctx' | 'keys' | 'router'>,
  request: Pick<ApiRequest, 'method' | 'path' | 'identify' | 'client'>,
): number {
  const { maxBodyBytes } = ctx.config
  try {
    const route = router.find(request.path).operations.get(request.method)?.route
    if (!route?.largeBody || !mayUse(route, keys, request)) return maxBodyBytes
    return Math.max(maxBodyBytes, route.largeBody(ctx.config))
  } catch {
    // An unknown path or a missing permission is answered after the body has been read.
    return maxBodyBytes
  }
}

/** Does not wait for a directory refresh: a caller whose key this worker does not know yet gets the smaller limit. */
function mayUse(route: Route, keys: ApiKeys, request: Pick<ApiRequest, 'identify' | 'client'>): boolean {
  const user = request.identify(keys)
  if (user instanceof Promise) {
    user.catch(() => undefined)
    return false
  }
  if (!user || typeof route.allow !== 'function') return false
  requireOpen({ user, client: request.client }, route)
  return true
}
