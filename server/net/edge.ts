import { ApiKeys } from '../access/api-key.js'
import type { Route } from '../api/route.js'
import type { Ctx } from '../ctx.js'
import { Cors } from './cors.js'
import type { Operations } from './dispatch.js'
import type { Exchange } from './exchange.js'
import { Outgoing } from './outgoing.js'
import { Router } from './router.js'
import type { Session } from './socket/session.js'

/** What all connections of one worker share. */
export interface Edge extends Operations {
  readonly outgoing: Outgoing
  readonly cors: Cors
  /** Requests not yet answered. */
  readonly exchanges: Set<Exchange>
  readonly sessions: Set<Session>
  /** Connections that are open for requests; those that became sockets are not counted. */
  connections: number
  isStopping: boolean
}

export function createEdge(ctx: Ctx, routes: readonly Route[]): Edge {
  return {
    ctx,
    router: new Router(routes),
    keys: new ApiKeys(ctx),
    outgoing: new Outgoing(ctx.log),
    cors: new Cors(ctx.config.allowedOrigins),
    exchanges: new Set(),
    sessions: new Set(),
    connections: 0,
    isStopping: false,
  }
}
