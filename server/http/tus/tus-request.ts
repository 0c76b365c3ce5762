import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import type { ApiKeys } from '../../auth/api-key.js'
import { isHttps } from '../../config/addresses.js'
import type { UserRow } from '../../store/users/users.js'
import type { Connections } from '../connections.js'
import { sessionTokenOf } from '../page-head.js'
import { StreamedRequest } from '../streamed-request.js'

/** A native request of the tus protocol. */
export class TusRequest extends StreamedRequest {
  /** The method, or the one that a POST names in its place. */
  readonly verb: string
  readonly version: string
  readonly length: string
  readonly isDeferred: boolean
  readonly offset: string
  readonly metadata: string

  /** Must be created in the handler of the native request. */
  constructor(connections: Connections, res: HttpResponse, req: NativeRequest) {
    super(connections, res, req)
    const instead = req.getHeader('x-http-method-override')
    this.verb = this.method === 'POST' && instead !== '' ? instead.toUpperCase() : this.method
    this.version = req.getHeader('tus-resumable')
    this.length = req.getHeader('upload-length')
    this.isDeferred = req.getHeader('upload-defer-length') !== ''
    this.offset = req.getHeader('upload-offset')
    this.metadata = req.getHeader('upload-metadata')
  }

  /** The header names an account, or the session of a page does. */
  override identify(keys: ApiKeys): UserRow | null | Promise<UserRow> {
    const { connections, head } = this
    if (this.authorization !== '' || !head.page) return this.byHeader(keys)
    const { ctx, sessions } = connections
    const token = sessionTokenOf(head.page, this.method, isHttps(ctx))
    return token === undefined ? null : sessions.findFresh(token, this.charges)
  }
}
