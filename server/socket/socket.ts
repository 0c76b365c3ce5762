import { ApiError } from '../../shared/errors.js'
import type { Connections } from '../http/connections.js'
import { HttpRequest } from '../http/http-request.js'
import type { NativeRoutes } from '../http/native-routes.js'
import { frame } from '../metrics/activity.js'
import { addSlackSocket } from './slack/add-slack-socket.js'
import type { SocketData } from './socket-connection.js'
import { upgrade } from './upgrade.js'
import { upgradePage } from './upgrade-page.js'

const socketPath = '/api/v1/socket'
// Of pages, whose cookie authenticates them.
const pageSocketPath = '/json/socket'
// uWebSockets cuts a connection whose frame exceeds its limit, without a close frame. A higher limit there lets the server close with
// 1009; only frames beyond that limit are cut.
const frameRoom = 8

/** The socket channel (docs/protocol/socket.md). */
export function addSocket(routes: NativeRoutes, connections: Connections): void {
  addSocketAt(routes, connections, { path: socketPath, isOfPage: false })
  addSocketAt(routes, connections, { path: pageSocketPath, isOfPage: true })
  addSlackSocket(routes, connections)
}

function addSocketAt(
  routes: NativeRoutes,
  connections: Connections,
  { path, isOfPage }: { readonly path: string; readonly isOfPage: boolean },
): void {
  routes.socket<SocketData>(path, {
    maxPayloadLength: connections.ctx.config.maxFrameBytes * frameRoom,
    // Seconds. uWebSockets sends pings; any received data counts as activity.
    idleTimeout: connections.ctx.config.socketSilenceSeconds,
    sendPingsAutomatically: true,
    // 0: uWebSockets drops nothing; SocketSender limits the unsent bytes.
    maxBackpressure: 0,
    upgrade: (res, req, context) =>
      isOfPage ? upgradePage(connections, res, req, context) : upgrade(connections, res, req, context),
    open: socket => {
      connections.httpConnections--
      socket.getUserData().connection.opened(socket)
    },
    message: (socket, bytes, isBinary) => {
      const slot = connections.activity.begin(bytes.byteLength, frame)
      socket.getUserData().connection.receive(bytes, isBinary)
      connections.activity.end(slot)
    },
    drain: socket => socket.getUserData().connection.drained(),
    dropped: socket => socket.getUserData().connection.dropped(),
    close: socket => socket.getUserData().connection.closed(),
  })
  routes.any(path, (res, req) => {
    new HttpRequest(connections, res, req).refuse(
      new ApiError('BAD_REQUEST', 'This path takes WebSocket connections only.', {}, 426),
    )
  })
}
