import type { TemplatedApp } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { frame } from '../../metrics/activity.js'
import type { Edge } from '../edge.js'
import { Exchange } from '../exchange.js'
import type { SocketData } from './session.js'
import { upgrade } from './upgrade.js'

export const socketPath = '/api/v1/socket'
// The native layer cuts a connection whose frame is over its own limit, without a close frame. With more room there, our
// check closes with 1009; only frames beyond even that are cut.
const frameRoom = 8

/** The socket channel (docs/protocol/socket.md). */
export function addSocket(app: TemplatedApp, edge: Edge): void {
  app.ws<SocketData>(socketPath, {
    maxPayloadLength: edge.ctx.config.maxFrameBytes * frameRoom,
    // The native layer sends the pings; anything received counts as life.
    idleTimeout: edge.ctx.config.socketSilenceSeconds,
    sendPingsAutomatically: true,
    // Nothing is ever dropped: how much may be unsent is decided where it is sent.
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
