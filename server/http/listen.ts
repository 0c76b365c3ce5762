import {
  App,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import type { Route } from '../api/route.js'
import type { Config } from '../config.js'
import type { WorkerCtx } from '../ctx.js'
import type { Activity } from '../metrics/activity.js'
import { addAccountLinks } from './account-links.js'
import { addAccountPages } from './account-pages/index.js'
import { addAvatarRedirects } from './avatar-redirects.js'
import type { ConnectionFigures } from './connection-counts.js'
import { type Connections, createConnections } from './connections.js'
import { addPages, type Page } from './document-pages.js'
import { addAuditLog } from './files/add-audit-log.js'
import { addExports } from './files/add-exports.js'
import { addExternalContent } from './files/add-external-content.js'
import { addFiles } from './files/add-files.js'
import { addPictures } from './files/add-pictures.js'
import { hideServerName } from './hide-server-name.js'
import { HttpRequest } from './http-request.js'
import { addIntegrations } from './integrations/add-integrations.js'
import { addMcp } from './mcp/add-mcp.js'
import type { Tool } from './mcp/tool.js'
import { addMonitoring, type Monitor } from './monitoring.js'
import { type NativeRoute, NativeRoutes } from './native-routes.js'
import { addScim } from './scim/add-scim.js'
import { addSite } from './site/add-site.js'
import type { SiteFile } from './site/read-site.js'
import { addSlack } from './slack/add-slack.js'
import { addTus } from './tus/add-tus.js'

const noteAddressesMs = 500
// Bounds a stop: requests that are still in progress after this time get no answer.
const stopMs = 5000
const stopCheckMs = 10
// uWebSockets closes a connection after ten idle seconds and checks every four; until then a client may send a request on it.
const lingerMs = 12_000
const fullLogMs = 10_000
// An iteration of the event loop without work takes some hundredths of a ms; under load one occurs within a few iterations.
const shortTurnMs = 0.1
const mostTurns = 500

export interface Listening {
  readonly port: number
  /** The requests in progress. */
  readonly activity: Activity
  readonly nativeRoutes: readonly NativeRoute[]
  /** Sessions of this user have ended: closes their sockets, and ends their waiting requests. */
  sessionsEnded(userId: number): Promise<void>
  /** All sessions have ended: what they hold is closed. */
  allSessionsEnded(): void
  /** Present counts of this worker. */
  figures(): ConnectionFigures
  /**
   * Accepts no more connections, answers the requests in progress, closes sockets with 1012, and resolves when all is done. With `linger`,
   * keep-alive connections are not cut: until `linger` aborts or they are gone, each gets one more answer with `Connection: close`, so that
   * its client reconnects to another server without a failure.
   */
  stop(linger?: AbortSignal): Promise<void>
}

/**
 * Serves the operations over HTTP and over sockets, the pages about them, and the built site. `addSocket` adds the socket channel,
 * which this folder does not know: it uses the pipeline. Workers share the port: the kernel distributes connections.
 * @throws when host and port cannot be listened on.
 */
export async function listen(
  ctx: WorkerCtx,
  routes: readonly Route[],
  addSocket: (native: NativeRoutes, connections: Connections) => void,
  {
    pages = [],
    site = [],
    monitor,
    people,
    tools = () => [],
  }: {
    readonly tools?: () => readonly Tool[]
    readonly people?: Connections['people'] | undefined
    readonly pages?: readonly Page[]
    readonly site?: readonly SiteFile[]
    readonly monitor?: Monitor
  } = {},
): Promise<Listening> {
  const connections = createConnections(ctx, routes, people)
  const app = createApp(ctx.config).filter(connectionCount(connections))
  const native = new NativeRoutes(app, connections)
  addSocket(native, connections)
  addPages(native, connections, pages)
  addSite(native, connections, site)
  addAccountLinks(native, connections)
  addAccountPages(native, connections)
  addScim(native, connections)
  addIntegrations(native, connections)
  addMcp(native, connections, tools)
  addSlack(native, connections)
  addAvatarRedirects(native, connections)
  addFiles(native, connections)
  addAuditLog(native, connections)
  addExports(native, connections)
  addPictures(native, connections)
  addExternalContent(native, connections)
  addTus(native, connections)
  if (monitor) addMonitoring(native, connections, monitor)
  native.withBody('/*', (res, req) => new HttpRequest(connections, res, req).start())

  const { host, port } = ctx.config
  const token = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(host, port, socket => {
      if (socket) resolve(socket)
      else reject(new Error(`cannot listen on ${host}:${port}`))
    })
  })
  const noting = setInterval(() => noteAddresses(connections), noteAddressesMs)
  const stop = async (linger?: AbortSignal) => {
    await shortTurn()
    us_listen_socket_close(token)
    await drain(connections, linger)
    clearInterval(noting)
    app.close()
  }
  // Only once: uWebSockets crashes when a closed socket is closed again.
  let stopped: Promise<void> | undefined
  return {
    port: us_socket_local_port(token),
    activity: connections.activity,
    nativeRoutes: native.list,
    sessionsEnded: userId => connections.sessions.recheck(userId),
    allSessionsEnded: () => connections.sessions.closeAll(),
    figures: () => figuresOf(connections),
    stop(linger) {
      stopped ??= stop(linger)
      return stopped
    },
  }
}

/**
 * Accepts TLS 1.2 or newer if a certificate is configured. The certificate is read once; new workers read a renewed one (SIGHUP).
 * @throws when the certificate cannot be used.
 */
function createApp({ tls }: Config): TemplatedApp {
  hideServerName()
  return tls ? SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key }) : App()
}

/**
 * A request whose client leaves before its answer is in the log with the client's address if it ran for this long. Reading the address costs more
 * than a microsecond, and few requests need it.
 */
function noteAddresses({ requests }: Connections): void {
  for (const request of requests.list()) request.noteAddress()
}

/** Counts connections; cuts a connection beyond MAX_CONNECTIONS before reading from it. */
function connectionCount(connections: Connections): (res: HttpResponse, change: number) => void {
  const { maxConnections } = connections.ctx.config
  let notifiedAt = Number.NEGATIVE_INFINITY
  return (res, change) => {
    connections.httpConnections += change
    if (change < 0 || maxConnections === 0 || connections.httpConnections + connections.sockets.size <= maxConnections)
      return
    res.close()
    // At most one line per `fullLogMs`: a line per refused connection would fill the log.
    if (performance.now() - notifiedAt < fullLogMs) return
    notifiedAt = performance.now()
    connections.ctx.log.warn({ maxConnections }, 'connections are refused: there are as many as MAX_CONNECTIONS allows')
  }
}

function figuresOf({ counts, httpConnections, sockets, requests, isStopping }: Connections): ConnectionFigures {
  const byCodec = { json: 0, msgpack: 0 }
  for (const { codec } of sockets) byCodec[codec]++
  return { counts, httpConnections, sockets: byCodec, inProgress: requests.size, isStopping }
}

/**
 * Resolves at the end of an event-loop iteration that had almost nothing to do. An iteration begins with accepting pending connections;
 * closing the port resets connections that arrive later in the same iteration. (Those whose handshake is in progress are reset too:
 * docs/operations.md.)
 */
async function shortTurn(): Promise<void> {
  let before = Number.NEGATIVE_INFINITY
  for (let turn = 0; turn < mostTurns; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    const now = performance.now()
    if (now - before < shortTurnMs) return
    before = now
  }
}

async function drain(connections: Connections, linger?: AbortSignal): Promise<void> {
  connections.isStopping = true
  const start = performance.now()
  const passed = () => performance.now() - start
  // Sockets finish their requests first: a client waits for the replies to what it has sent.
  for (const socket of [...connections.sockets]) socket.stop()
  for (const request of connections.requests.list()) request.hurry()
  const isBusy = () => connections.requests.size + connections.sockets.size > 0 && passed() < stopMs
  const isLingering = () => linger?.aborted === false && connections.httpConnections > 0 && passed() < lingerMs
  while (isBusy() || isLingering()) {
    await new Promise(resolve => setTimeout(resolve, stopCheckMs))
  }
  // The kernel has the answers; closing in the same iteration would discard them.
  await new Promise(resolve => setTimeout(resolve, stopCheckMs))
}
