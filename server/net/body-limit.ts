import type { Route } from '../api/route.js'
import type { Inbound, Operations } from './dispatch.js'

/**
 * Bytes that the body of a request may have: MAX_BODY_BYTES, or what the operation takes where that is more, but only of
 * somebody whom the operation is open to: others could make the server hold it for nothing.
 */
export function bodyLimit(
  { ctx, router }: Pick<Operations, 'ctx' | 'router'>,
  inbound: Pick<Inbound, 'method' | 'path' | 'authenticate'>,
): number {
  const { maxBodyBytes } = ctx.config
  try {
    const route = router.find(inbound.path).operations.get(inbound.method)?.route
    if (!route?.largeBody || !isOpenTo(route, inbound)) return maxBodyBytes
    return Math.max(maxBodyBytes, route.largeBody(ctx.config))
  } catch {
    // No such path, no right: that is told when the body has been read.
    return maxBodyBytes
  }
}

/** A key that this worker does not know yet is looked up later: its first body is no large one. */
function isOpenTo({ allow }: Route, inbound: Pick<Inbound, 'authenticate'>): boolean {
  const actor = inbound.authenticate()
  if (actor instanceof Promise) {
    actor.catch(() => undefined)
    return false
  }
  if (!actor || typeof allow !== 'function') return false
  allow(actor)
  return true
}
