import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { ApiKeys } from '../../auth/api-key.js'
import type { UserRow } from '../../store/users/users.js'
import { BodyRequest } from '../body-request.js'
import { clientName } from '../client-name.js'
import type { Connections } from '../connections.js'

/** A native request of an assistant. */
export class McpRequest extends BodyRequest {
  readonly client: string
  readonly requestId: string
  /** The version of the protocol that the client has agreed to; empty: it names none. */
  readonly version: string
  /** Of the body. */
  readonly bytes: number

  constructor(connections: Connections, res: HttpResponse, req: HttpRequest) {
    super(connections, res, req)
    this.client = clientName(req.getHeader('user-agent'))
    this.requestId = connections.ids.text(connections.ids.next(), '')
    this.version = req.getHeader('mcp-protocol-version')
    this.bytes = Number(req.getHeader('content-length')) || 0
  }

  /** The key alone as a bearer token, which most assistants can send, or address and key as everywhere. */
  override identify(keys: ApiKeys): UserRow | null | Promise<UserRow> {
    const bearer = /^bearer +(\S+)$/i.exec(this.authorization)?.[1]
    return bearer === undefined ? this.byHeader(keys) : keys.ofKey(bearer, this.charges)
  }
}
