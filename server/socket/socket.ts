import type { TemplatedApp } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'
import type { Edge } from '../http/connections.js'
import { Exchange } from '../http/http-request.js'
import { frame } from '../metrics/activity.js'
import type { SocketData } from './session.js'
import { upgrade } from './upgrade.js'

export const socketPath = '/api/v1/socket'
// uWebSockets cuts a connection whose frame exceeds its limit, without a close frame. A higher limit there lets the session close with
// 1009; only frames beyond that limit are cut.
const frameRoom = 8

/** The socket channel (docs/protocol/socket.md). */
export function addSocket(app: TemplatedApp, edge: Edge): void {
  app.ws<SocketData>(socketPath, {
    maxPayloadLength: edge.ctx.config.maxFrameBytes * frameRoom,
    // Seconds. uWebSockets sends pings; any received data counts as activity.
    idleTimeout: edge.ctx.config.socketSilenceSeconds,
    sendPingsAutomatically: true,
    // 0: uWebSockets drops nothing; SocketSender limits the unsent bytes.
    maxBackpressure: 0,
    upgrade: (res, req, context) => upgrade(edge, res, req, context),
    open: socket => {
      edge.connections--
      socket.getUserData().session.opened(socket)
    },
    message: (socket, bytes, isBinary) => {
      const slot = edge.activity.begin(bytes.byteLength, frame)
      socket.getUserData().session.receive(bytes, isBinary)
      edge.activity.end(slot)
    },
    drain: socket => socket.getUserData().session.drained(),
    dropped: socket => socket.getUserData().session.dropped(),
    close: socket => socket.getUserData().session.closed(),
  })
  app.any(socketPath, (res, req) => {
    const exchange = new Exchange(edge, res, req)
    exchange.refuse(new ApiError('BAD_REQUEST', 'This path takes WebSocket connections only.', {}, 426))
  })
}
