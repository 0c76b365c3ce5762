import type { Route } from '../api/route.js'
import { ApiKeys } from '../auth/api-key.js'
import type { Ctx } from '../ctx.js'
import { type CallerLimits, callerLimits } from '../limits/caller-limits.js'
import { LargeRequests } from '../limits/large-requests.js'
import { SocketCounts } from '../limits/socket-counts.js'
import { Activity } from '../metrics/activity.js'
import type { Session } from '../socket/session.js'
import { answerHead } from './answer-head.js'
import { Addresses } from './client-addresses.js'
import { EdgeCounts, waiting } from './connection-counts.js'
import { Cors } from './cors.js'
import type { Exchange } from './http-request.js'
import { InProgress } from './in-progress.js'
import { Outgoing } from './outgoing.js'
import type { Operations } from './pipeline.js'
import { RequestIds } from './request-ids.js'
import { requestScopes } from './request-scope.js'
import { Router } from './router.js'

/** The state that all connections of one worker share. */
export interface Edge extends Operations {
  readonly outgoing: Outgoing
  readonly cors: Cors
  readonly addresses: Addresses
  readonly limits: CallerLimits
  readonly sockets: SocketCounts
  /** See `answerHead`. */
  readonly head: string
  /** Requests that have no answer yet. */
  readonly exchanges: InProgress<Exchange>
  readonly sessions: Set<Session>
  /** Open HTTP connections, without those that became sockets. */
  connections: number
  isStopping: boolean
}

export function createEdge(ctx: Ctx, routes: readonly Route[]): Edge {
  return {
    ctx,
    router: new Router(routes),
    keys: new ApiKeys(ctx),
    counts: new EdgeCounts(routes),
    activity: new Activity(routes.map(route => route.operation).filter(operation => !waiting.has(operation))),
    large: new LargeRequests(),
    ids: new RequestIds(),
    scope: requestScopes(ctx),
    outgoing: new Outgoing(ctx.log),
    cors: new Cors(ctx.config.allowedOrigins),
    addresses: new Addresses(ctx.config.trustedProxies),
    limits: callerLimits(ctx),
    sockets: new SocketCounts(ctx.config),
    head: answerHead(ctx.publicUrl.startsWith('https:')),
    exchanges: new InProgress(),
    sessions: new Set(),
    connections: 0,
    isStopping: false,
  }
}
