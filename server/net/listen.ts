import './header-limit.js'

import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import type { Route } from '../api/route.js'
import type { Ctx } from '../ctx.js'
import { createEdge, type Edge } from './edge.js'
import { Exchange } from './exchange.js'
import { addPages, type Page } from './page.js'
import { addSite } from './site/add-site.js'
import type { SiteFile } from './site/read-site.js'
import { addSocket } from './socket/socket.js'

// A write that takes longer than this to answer is not answered: whoever stops the server waits for it.
const stopMs = 5000
const stopCheckMs = 10
// The native layer closes a connection on which nothing was asked for ten seconds, looking every four: until then a client
// may believe in it.
const lingerMs = 12_000

export interface Listening {
  readonly port: number
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
): Promise<Listening> {
  const edge = createEdge(ctx, routes)
  const countConnection = (_: unknown, change: number) => {
    edge.connections += change
  }
  const app = App().filter(countConnection)
  addSocket(app, edge)
  addPages(app, edge, pages)
  addSite(app, site)
  app.any('/*', (res, req) => new Exchange(edge, res, req).start())

  const { host, port } = ctx.config
  const token = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(host, port, socket => {
      if (socket) resolve(socket)
      else reject(new Error(`cannot listen on ${host}:${port}`))
    })
  })
  const stop = async (linger?: AbortSignal) => {
    // A turn of its own, right after the connections that had come were taken: those in between would be reset.
    await new Promise(resolve => setImmediate(resolve))
    us_listen_socket_close(token)
    await drain(edge, linger)
    app.close()
  }
  // Once: the native layer does not survive closing what is closed.
  let stopped: Promise<void> | undefined
  return {
    port: us_socket_local_port(token),
    stop(linger) {
      stopped ??= stop(linger)
      return stopped
    },
  }
}

async function drain(edge: Edge, linger?: AbortSignal): Promise<void> {
  edge.isStopping = true
  const start = performance.now()
  const passed = () => performance.now() - start
  // Sockets first let their requests end: a client waits for the reply of what it has sent.
  for (const session of [...edge.sessions]) session.stop()
  for (const exchange of [...edge.exchanges]) exchange.hurry()
  const isBusy = () => edge.exchanges.size + edge.sessions.size > 0 && passed() < stopMs
  const isLingering = () => linger?.aborted === false && edge.connections > 0 && passed() < lingerMs
  while (isBusy() || isLingering()) {
    await new Promise(resolve => setTimeout(resolve, stopCheckMs))
  }
  // Their answers are with the kernel now; closing in the same turn would take them back.
  await new Promise(resolve => setTimeout(resolve, stopCheckMs))
}
