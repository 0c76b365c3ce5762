import type { HttpResponse, HttpRequest as NativeRequest, us_socket_context_t } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import { type Subprotocol, subprotocols } from '../../shared/wire/frames.js'
import { networkOf } from '../config/addresses.js'
import { clientName } from '../http/client-name.js'
import type { Connections } from '../http/connections.js'
import { HttpRequest } from '../http/http-request.js'
import { hasPlainFraming, RequestHead } from '../http/request-head.js'
import { SocketConnection, type SocketData } from './socket-connection.js'

/** Opens a socket, or answers with an error. Credentials are checked after it is open: wrong ones close it with 4001. */
export function upgrade(
  connections: Connections,
  res: HttpResponse,
  req: NativeRequest,
  context: us_socket_context_t,
): void {
  const offered = req.getHeader('sec-websocket-protocol')
  const chosen = choose(offered)
  const problem = problemOf(connections, req, chosen)
  if (problem) {
    new HttpRequest(connections, res, req).refuse(problem)
    return
  }
  const address = connections.addresses.of(
    res,
    new RequestHead(req, connections.addresses.isForwarded(res)).forwardedFor,
  )
  try {
    connections.socketCounts.requireRoom(networkOf(address))
  } catch (thrown) {
    new HttpRequest(connections, res, req).refuse(thrown as ApiError)
    return
  }
  const connection = new SocketConnection(connections, {
    codec: chosen === 'chat.v1.msgpack' ? 'msgpack' : 'json',
    authorization: req.getHeader('authorization'),
    client: clientName(req.getHeader('user-agent')),
    address,
  })
  const protocol = offered === '' ? '' : (chosen as string)
  // No extensions: compression costs more CPU than sending the event itself.
  res.upgrade<SocketData>({ connection }, req.getHeader('sec-websocket-key'), protocol, '', context)
}

function problemOf(
  connections: Connections,
  req: NativeRequest,
  chosen: Subprotocol | undefined,
): ApiError | undefined {
  if (req.getHeader('sec-websocket-version') !== '13') return badRequest('The server speaks WebSocket version 13.')
  if (!chosen) return badRequest(`The server speaks the subprotocols ${subprotocols.join(', ')}.`)
  if (!hasPlainFraming(req) || !['', '0'].includes(req.getHeader('content-length'))) {
    return badRequest('An upgrade has no body.')
  }
  if (!connections.cors.mayConnect(req.getHeader('origin'), req.getHeader('host'))) {
    return new ApiError('ORIGIN_NOT_ALLOWED', 'Pages of this origin may not connect.')
  }
  return undefined
}

/** The first subprotocol in the client's order that the server supports; JSON without an offer. */
function choose(offered: string): Subprotocol | undefined {
  if (offered === '') return subprotocols[0]
  for (const name of offered.split(',')) {
    const known = subprotocols.find(one => one === name.trim())
    if (known) return known
  }
  return undefined
}
