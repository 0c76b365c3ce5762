import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import { type Subprotocol, subprotocols } from '../../shared/wire/frames.js'
import { clientName } from '../http/client-name.js'
import type { Edge } from '../http/connections.js'
import { Exchange } from '../http/http-request.js'
import { RequestHead } from '../http/request-head.js'
import { networkOf } from '../text/addresses.js'
import { Session, type SocketData } from './session.js'

/** Opens a socket, or answers with an error. Credentials are checked after it is open: wrong ones close it with 4001. */
export function upgrade(edge: Edge, res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
  const offered = req.getHeader('sec-websocket-protocol')
  const chosen = choose(offered)
  const problem = problemOf(edge, req, chosen)
  if (problem) {
    new Exchange(edge, res, req).refuse(problem)
    return
  }
  const address = edge.addresses.of(res, new RequestHead(req, edge.addresses.isForwarded(res)).forwardedFor)
  try {
    edge.sockets.requireRoom(networkOf(address))
  } catch (thrown) {
    new Exchange(edge, res, req).refuse(thrown as ApiError)
    return
  }
  const session = new Session(edge, {
    codec: chosen === 'chat.v1.msgpack' ? 'msgpack' : 'json',
    authorization: req.getHeader('authorization'),
    client: clientName(req.getHeader('user-agent')),
    address,
  })
  const protocol = offered === '' ? '' : (chosen as string)
  // No extensions: compression costs more CPU than sending the event itself.
  res.upgrade<SocketData>({ session }, req.getHeader('sec-websocket-key'), protocol, '', context)
}

function problemOf(edge: Edge, req: HttpRequest, chosen: Subprotocol | undefined): ApiError | undefined {
  if (req.getHeader('sec-websocket-version') !== '13') return badRequest('The server speaks WebSocket version 13.')
  if (!chosen) return badRequest(`The server speaks the subprotocols ${subprotocols.join(', ')}.`)
  const origin = req.getHeader('origin')
  if (origin !== '' && !edge.cors.allows(origin) && !isSameHost(origin, req.getHeader('host'))) {
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

function isSameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}
