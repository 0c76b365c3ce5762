import { join } from 'node:path'
import type { Codec } from '../../shared/wire/codec.js'
import type { Route } from '../api/route.js'
import { ApiKeys } from '../auth/api-key.js'
import { Sessions } from '../auth/sessions.js'
import { isHttps } from '../config/addresses.js'
import { budgets } from '../config/budgets.js'
import type { WorkerCtx } from '../ctx.js'
import { type CallerLimits, callerLimits } from '../limits/caller-limits.js'
import { LargeRequests } from '../limits/large-requests.js'
import { SocketCounts } from '../limits/socket-counts.js'
import type { Directory } from '../memory/directory.js'
import { Activity } from '../metrics/activity.js'
import type { UserRow } from '../store/users/users.js'
import { answerHead } from './answer-head.js'
import { BodyWindow } from './body-window.js'
import { ClientAddresses } from './client-addresses.js'
import { ClientBrands } from './client-brands.js'
import { ConnectionCounts, waiting } from './connection-counts.js'
import { Cors } from './cors.js'
import { InProgress, type Placed } from './in-progress.js'
import { Outgoing } from './outgoing.js'
import { Packer } from './packer.js'
import { RequestIds } from './request-ids.js'
import { requestScopes } from './request-scope.js'
import { Router } from './router.js'
import type { PipelineDeps } from './run.js'
import { fetchOwnApiKey, sessionRoutes } from './session-routes.js'
import { ShortPolls } from './short-polls.js'
import { SlowRequests } from './slow-requests.js'

/** An HTTP request without an answer. */
export interface OpenRequest extends Placed {
  /** Ends a wait: the server stops. */
  hurry(): void
  /** Reads the client's address, which cannot be read any more when the client has left. */
  noteAddress(): void
}

/** A socket that is open. */
export interface OpenSocket {
  readonly codec: Codec
  /** Closes the socket once its requests are answered: the server stops. */
  stop(): void
}

/** What all connections of one worker share. */
export interface Connections extends PipelineDeps {
  readonly outgoing: Outgoing
  readonly packer: Packer
  readonly bodies: BodyWindow
  readonly cors: Cors
  readonly addresses: ClientAddresses
  readonly limits: CallerLimits
  readonly socketCounts: SocketCounts
  /** The same for requests of pages, whose operations are almost the same. */
  readonly ofPages: PipelineDeps
  /** Undefined: there is no operation that waits. */
  readonly polls: ShortPolls | undefined
  /** See `answerHead`. */
  readonly head: string
  /** Requests over HTTP that have no whole answer yet. */
  readonly requests: InProgress<OpenRequest>
  readonly sockets: Set<OpenSocket>
  /** Open HTTP connections, without those that became sockets. */
  httpConnections: number
  isStopping: boolean
  /** The people of a demonstration, as which a program on this machine may enter without a password; otherwise none. */
  people(directory: Directory): readonly UserRow[]
}

function pipelineDeps(ctx: WorkerCtx, routes: readonly Route[]): PipelineDeps {
  return {
    ctx,
    router: new Router(routes),
    keys: new ApiKeys(ctx),
    sessions: new Sessions(ctx),
    counts: new ConnectionCounts([...routes, fetchOwnApiKey]),
    activity: new Activity(
      [...routes, fetchOwnApiKey].map(route => route.operation).filter(operation => !waiting.has(operation)),
    ),
    large: new LargeRequests(),
    ids: new RequestIds(),
    brands: new ClientBrands(ctx.config.wireBrand, ctx.log, ctx.clock),
    scope: requestScopes(ctx),
    slow: new SlowRequests(ctx.log, ctx.config.slowRequestMs),
  }
}

export function createConnections(
  ctx: WorkerCtx,
  routes: readonly Route[],
  people: Connections['people'] = () => [],
): Connections {
  const pipeline = pipelineDeps(ctx, routes)
  return {
    ...pipeline,
    ofPages: { ...pipeline, router: new Router(sessionRoutes(routes)) },
    outgoing: new Outgoing(ctx.log),
    packer: new Packer(),
    bodies: new BodyWindow(budgets.bodyWindow.most, budgets.bodyPatience.most, join(ctx.config.dataDir, 'spool')),
    cors: new Cors(ctx.config.allowedOrigins),
    addresses: new ClientAddresses(ctx.config.trustedProxies),
    limits: callerLimits(ctx),
    socketCounts: new SocketCounts(ctx.config),
    polls: ShortPolls.of(pipeline, routes),
    head: answerHead(isHttps(ctx)),
    requests: new InProgress(),
    sockets: new Set(),
    httpConnections: 0,
    isStopping: false,
    people,
  }
}
