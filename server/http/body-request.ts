import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Connections } from './connections.js'
import { FileRequest } from './files/file-request.js'
import { receiveBody } from './receive-body.js'

/** What is read of a native request that has a body, before it is freed. Receives the body. */
export class BodyRequest extends FileRequest {
  /** The rest of the body would be read as the next request. */
  closes = false
  readonly contentType: string
  /** @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT */
  readonly received: Promise<Buffer>

  constructor(connections: Connections, res: HttpResponse, req: HttpRequest) {
    super(connections, res, req)
    this.contentType = req.getHeader('content-type')
    const { maxBodyBytes: maxBytes, bodySeconds: seconds } = connections.ctx.config
    const declared = Number(req.getHeader('content-length'))
    this.received =
      declared > 0 && !this.isRead
        ? receiveBody(this, { declared, maxBytes, seconds })
        : Promise.resolve(Buffer.alloc(0))
    this.received.catch(() => {
      this.closes = true
    })
  }
}
