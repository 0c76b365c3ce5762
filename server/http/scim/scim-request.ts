import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import type { Connections } from '../connections.js'
import { FileRequest } from '../files/file-request.js'
import { receiveBody } from '../receive-body.js'

/** What is read of a native request of a directory before it is freed. Receives the body. */
export class ScimRequest extends FileRequest {
  /** The rest of the body would be read as the next request. */
  closes = false
  private readonly contentType: string
  private readonly received: Promise<Buffer>

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

  /** The text of the body. @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE */
  async text(): Promise<string> {
    const body = await this.received
    if (body.length > 0 && !/^application\/(?:scim\+)?json\s*(?:;|$)/i.test(this.contentType)) {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A body is application/scim+json.')
    }
    return body.toString('utf8')
  }

  /** The token of the header Authorization; undefined: there is none. */
  get bearer(): string | undefined {
    return /^bearer +([\w-]{20,100})$/i.exec(this.authorization)?.[1]
  }
}
