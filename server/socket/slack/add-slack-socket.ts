import { ApiError } from '../../../shared/errors.js'
import { clientName } from '../../http/client-name.js'
import type { Connections } from '../../http/connections.js'
import { HttpRequest } from '../../http/http-request.js'
import type { NativeRoutes } from '../../http/native-routes.js'
import { socketPath } from '../../http/slack/methods/apps.js'
import { ofTicket, tickets } from '../../http/slack/ticket.js'
import { readUpgrade } from '../upgrade.js'
import { SlackSocket } from './slack-socket.js'

/** What uWebSockets keeps with a socket. */
interface SlackSocketData {
  readonly slack: SlackSocket
}

// Bytes. A program only acknowledges.
const mostFrameBytes = 64 * 1024

/** Events for programs that were made for Slack (docs/protocol/slack.md#socket-mode). */
export function addSlackSocket(routes: NativeRoutes, connections: Connections): void {
  const { ctx, cors } = connections
  routes.socket<SlackSocketData>(socketPath, {
    maxPayloadLength: mostFrameBytes,
    idleTimeout: ctx.config.socketSilenceSeconds,
    sendPingsAutomatically: true,
    // 0: uWebSockets drops nothing; an envelope is sent only when the ones before are acknowledged.
    maxBackpressure: 0,
    upgrade(res, req, context) {
      const host = req.getHeader('host')
      const ticket = new URLSearchParams(req.getQuery() ?? '').get('ticket') ?? ''
      const client = clientName(req.getHeader('user-agent'))
      const read = readUpgrade(connections, res, req, cors.mayConnect(req.getHeader('origin'), host))
      if (!read) return
      const slack = new SlackSocket(connections, {
        user: ofTicket(ctx, tickets.socket, ticket)?.user,
        host,
        client,
        address: read.address,
      })
      res.upgrade<SlackSocketData>({ slack }, read.key, read.protocol, '', context)
    },
    open(socket) {
      connections.httpConnections--
      socket.getUserData().slack.opened(socket)
    },
    message: (socket, bytes, isBinary) => socket.getUserData().slack.receive(bytes, isBinary),
    close: socket => socket.getUserData().slack.closed(),
  })
  routes.any(socketPath, (res, req) => {
    new HttpRequest(connections, res, req).refuse(
      new ApiError('BAD_REQUEST', 'This path takes WebSocket connections only.', {}, 426),
    )
  })
}
