import './header-limit.js'

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
import type { Ctx } from '../ctx.js'
import type { Activity } from '../metrics/activity.js'
import { createEdge, type Edge } from './edge.js'
import type { EdgeFigures } from './edge-counts.js'
import { Exchange } from './exchange.js'
import { addMonitoring, type Monitor } from './monitoring.js'
import { addPages, type Page } from './page.js'
import { beSilent } from './silent.js'
import { addSite } from './site/add-site.js'
import type { SiteFile } from './site/read-site.js'
import { addSocket } from './socket/socket.js'

// A write that takes longer than this to answer is not answered: whoever stops the server waits for it.
const stopMs = 5000
const stopCheckMs = 10
// The native layer closes a connection on which nothing was asked for ten seconds, looking every four: until then a client
// may believe in it.
const lingerMs = 12_000
const fullLogMs = 10_000
// A turn with nothing to do takes some hundredths of a millisecond; under load there is one within a few.
const shortTurnMs = 0.1
const mostTurns = 500

export interface Listening {
  readonly port: number
  /** Which requests are under way. */
  readonly activity: Activity
  /** What it holds and has done. */
  figures(): EdgeFigures
  /**
   * Takes no more connections, answers what is under way, closes sockets with 1012. Resolves when all is done. With `linger`,
   * connections that are kept for further requests are not cut: until it aborts, or they are gone, each is answered once more
   * and told to close, so that its client goes to another server without having met with a failure.
   */
  stop(linger?: AbortSignal): Promise<void>
}

/**
 * Serves the operations on HTTP and on the socket channel, the pages about them, and the built site. Workers share the port: the kernel spreads connections.
 * @throws when host and port cannot be listened on.
 */
export async function listen(
  ctx: Ctx,
  routes: readonly Route[],
  pages: readonly Page[] = [],
  site: readonly SiteFile[] = [],
  monitor?: Monitor,
): Promise<Listening> {
  const edge = createEdge(ctx, routes)
  const app = createApp(ctx.config).filter(connectionCount(edge))
  addSocket(app, edge)
  addPages(app, edge, pages)
  addSite(app, site)
  if (monitor) addMonitoring(app, edge, monitor)
  app.any('/*', (res, req) => new Exchange(edge, res, req).start())

  const { host, port } = ctx.config
  const token = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(host, port, socket => {
      if (socket) resolve(socket)
      else reject(new Error(`cannot listen on ${host}:${port}`))
    })
  })
  const stop = async (linger?: AbortSignal) => {
    await shortTurn()
    us_listen_socket_close(token)
    await drain(edge, linger)
    app.close()
  }
  // Once: the native layer does not survive closing what is closed.
  let stopped: Promise<void> | undefined
  return {
    port: us_socket_local_port(token),
    activity: edge.activity,
    figures: () => figuresOf(edge),
    stop(linger) {
      stopped ??= stop(linger)
      return stopped
    },
  }
}

/**
 * Takes TLS 1.2 or newer where there is a certificate. It is read once: renewed ones are taken by the workers that follow (SIGHUP).
 * @throws when the certificate cannot be used.
 */
function createApp({ tls }: Config): TemplatedApp {
  beSilent()
  return tls ? SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key }) : App()
}

/** Counts connections; one too many is cut before anything of it is read. */
function connectionCount(edge: Edge): (res: HttpResponse, change: number) => void {
  const { maxConnections } = edge.ctx.config
  let toldAt = Number.NEGATIVE_INFINITY
  return (res, change) => {
    edge.connections += change
    if (change < 0 || maxConnections === 0 || edge.connections + edge.sessions.size <= maxConnections) return
    res.close()
    // As many as there are connections to refuse would fill the log.
    if (performance.now() - toldAt < fullLogMs) return
    toldAt = performance.now()
    edge.ctx.log.warn({ maxConnections }, 'connections are refused: there are as many as MAX_CONNECTIONS allows')
  }
}

function figuresOf({ counts, connections, sessions, exchanges, isStopping }: Edge): EdgeFigures {
  const sockets = { json: 0, msgpack: 0 }
  for (const { link } of sessions) sockets[link.codec]++
  return { counts, httpConnections: connections, sockets, inProgress: exchanges.size, isStopping }
}

/**
 * Resolves at the end of a turn that had next to nothing to do. A turn begins by taking the connections that have come; those
 * that come later in it would be reset by closing the port in it. (Those whose handshake is on its way are, too: docs/operations.md.)
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

async function drain(edge: Edge, linger?: AbortSignal): Promise<void> {
  edge.isStopping = true
  const start = performance.now()
  const passed = () => performance.now() - start
  // Sockets first let their requests end: a client waits for the reply of what it has sent.
  for (const session of [...edge.sessions]) session.stop()
  for (const exchange of edge.exchanges.list()) exchange.hurry()
  const isBusy = () => edge.exchanges.size + edge.sessions.size > 0 && passed() < stopMs
  const isLingering = () => linger?.aborted === false && edge.connections > 0 && passed() < lingerMs
  while (isBusy() || isLingering()) {
    await new Promise(resolve => setTimeout(resolve, stopCheckMs))
  }
  // Their answers are with the kernel now; closing in the same turn would take them back.
  await new Promise(resolve => setTimeout(resolve, stopCheckMs))
}
