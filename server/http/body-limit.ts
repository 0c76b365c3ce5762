import type { Route } from '../api/route.js'
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
  { ctx, router }: Pick<PipelineDeps, 'ctx' | 'router'>,
  request: Pick<ApiRequest, 'method' | 'path' | 'authenticate'>,
): number {
  const { maxBodyBytes } = ctx.config
  try {
    const route = router.find(request.path).operations.get(request.method)?.route
    if (!route?.largeBody || !isOpenTo(route, request)) return maxBodyBytes
    return Math.max(maxBodyBytes, route.largeBody(ctx.config))
  } catch {
    // An unknown path or a missing permission is answered after the body has been read.
    return maxBodyBytes
  }
}

/** Does not wait for a directory refresh: a caller whose key this worker does not know yet gets the smaller limit. */
function isOpenTo({ allow }: Route, request: Pick<ApiRequest, 'authenticate'>): boolean {
  const actor = request.authenticate()
  if (actor instanceof Promise) {
    actor.catch(() => undefined)
    return false
  }
  if (!actor || typeof allow !== 'function') return false
  allow(actor)
  return true
}
