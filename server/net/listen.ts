import './header-limit.js'

import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import type { Route } from '../api/route.js'
import type { Ctx } from '../ctx.js'
import { createEdge, type Edge } from './edge.js'
import { Exchange } from './exchange.js'
import { addPages, type Page } from './page.js'
import { addSocket } from './socket/socket.js'

// A write that takes longer than this to answer is not answered: whoever stops the server waits for it.
const stopMs = 5000
const stopCheckMs = 10

export interface Listening {
  readonly port: number
  /** Takes no more connections, answers what is under way, closes sockets with 1012. Resolves when all is done. */
  stop(): Promise<void>
}

/**
 * Serves the operations on HTTP and on the socket channel, and the pages. Workers share the port: the kernel spreads connections.
 * @throws when host and port cannot be listened on.
 */
export async function listen(ctx: Ctx, routes: readonly Route[], pages: readonly Page[] = []): Promise<Listening> {
  const edge = createEdge(ctx, routes)
  const app = App()
  addSocket(app, edge)
  addPages(app, edge, pages)
  app.any('/*', (res, req) => new Exchange(edge, res, req).start())

  const { host, port } = ctx.config
  const token = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(host, port, socket => {
      if (socket) resolve(socket)
      else reject(new Error(`cannot listen on ${host}:${port}`))
    })
  })
  const stop = async () => {
    us_listen_socket_close(token)
    await drain(edge)
    app.close()
  }
  // Once: the native layer does not survive closing what is closed.
  let stopped: Promise<void> | undefined
  return {
    port: us_socket_local_port(token),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

async function drain(edge: Edge): Promise<void> {
  edge.isStopping = true
  const deadline = performance.now() + stopMs
  // Sockets first let their requests end: a client waits for the reply of what it has sent.
  for (const session of [...edge.sessions]) session.stop()
  for (const exchange of [...edge.exchanges]) exchange.hurry()
  while (edge.exchanges.size + edge.sessions.size > 0 && performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, stopCheckMs))
  }
  // Their answers are with the kernel now; closing in the same turn would take them back.
  await new Promise(resolve => setTimeout(resolve, stopCheckMs))
}
