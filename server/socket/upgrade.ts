import type { HttpResponse, HttpRequest as NativeRequest, us_socket_context_t } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import type { Codec } from '../../shared/wire/codec.js'
import { type Subprotocol, subprotocols } from '../../shared/wire/frames.js'
import { networkOf } from '../config/addresses.js'
import { clientName } from '../http/client-name.js'
import type { Connections } from '../http/connections.js'
import { HttpRequest } from '../http/http-request.js'
import { hasPlainFraming, RequestHead } from '../http/request-head.js'
import type { Opening } from './session.js'
import { SocketConnection, type SocketData } from './socket-connection.js'

/** What is read of a native request for a socket before it is freed. */
interface Upgrade {
  readonly codec: Codec
  readonly packs: boolean
  readonly authorization: string
  readonly client: string
  readonly address: string
  /** Header lines of the answer. */
  readonly key: string
  readonly protocol: string
}

/** Opens a socket, or answers with an error. Credentials are checked after it is open: wrong ones close it with 4001. */
export function upgrade(
  connections: Connections,
  res: HttpResponse,
  req: NativeRequest,
  context: us_socket_context_t,
): void {
  const read = readUpgrade(connections, res, req, connections.cors.mayConnect(originOf(req), req.getHeader('host')))
  if (read) open(connections, { res, context }, read)
}

/** Undefined: the request was refused. */
export function readUpgrade(
  connections: Connections,
  res: HttpResponse,
  req: NativeRequest,
  mayConnect: boolean,
): Upgrade | undefined {
  const offered = req.getHeader('sec-websocket-protocol')
  const chosen = choose(offered)
  const problem = problemOf(req, chosen, mayConnect)
  if (problem) {
    new HttpRequest(connections, res, req).refuse(problem)
    return undefined
  }
  const head = new RequestHead(req, connections.addresses.isForwarded(res))
  const address = connections.addresses.of(res, head.forwardedFor)
  try {
    connections.socketCounts.requireRoom(networkOf(address))
  } catch (thrown) {
    new HttpRequest(connections, res, req).refuse(thrown as ApiError)
    return undefined
  }
  return {
    codec: chosen?.startsWith('chat.v1.msgpack') ? 'msgpack' : 'json',
    packs: chosen?.endsWith('.gzip') === true,
    authorization: req.getHeader('authorization'),
    client: clientName(req.getHeader('user-agent')),
    address,
    key: req.getHeader('sec-websocket-key'),
    protocol: offered === '' ? '' : (chosen as string),
  }
}

/** Must be called in the handler of the native request. */
export function open(
  connections: Connections,
  { res, context }: { readonly res: HttpResponse; readonly context: us_socket_context_t },
  { key, protocol, ...opening }: Upgrade,
  session?: Opening['session'],
): void {
  const connection = new SocketConnection(connections, { ...opening, session })
  // No extensions: to compress an event costs more CPU than to send it.
  res.upgrade<SocketData>({ connection }, key, protocol, '', context)
}

const originOf = (req: NativeRequest): string => req.getHeader('origin')

function problemOf(req: NativeRequest, chosen: Subprotocol | undefined, mayConnect: boolean): ApiError | undefined {
  if (req.getHeader('sec-websocket-version') !== '13') return badRequest('The server speaks WebSocket version 13.')
  if (!chosen) return badRequest(`The server speaks the subprotocols ${subprotocols.join(', ')}.`)
  if (!hasPlainFraming(req) || !['', '0'].includes(req.getHeader('content-length'))) {
    return badRequest('An upgrade has no body.')
  }
  if (!mayConnect) {
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
