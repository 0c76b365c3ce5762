import type { HttpRequest } from 'uWebSockets.js'

/** Where everything of the API is. */
export const prefix = '/api/v1'

/** What is needed of a native request, which lives only as long as the handler that it is given to. */
export class RequestHead {
  readonly method: string
  /** Below /api/v1; empty for a path outside. */
  readonly path: string
  query: string
  authorization: string
  readonly origin: string
  readonly userAgent: string
  readonly forwardedFor: string
  readonly contentLength: string = ''
  readonly contentType: string = ''
  readonly contentEncoding: string = ''
  readonly hasBody: boolean = false

  constructor(req: HttpRequest) {
    const url = req.getUrl()
    this.path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : ''
    this.method = req.getCaseSensitiveMethod()
    this.query = req.getQuery() ?? ''
    this.authorization = req.getHeader('authorization')
    this.origin = req.getHeader('origin')
    this.userAgent = req.getHeader('user-agent')
    this.forwardedFor = req.getHeader('x-forwarded-for')
    // GET and HEAD read the query only: the native layer throws their bodies away.
    if (this.method === 'GET' || this.method === 'HEAD') return
    this.contentLength = req.getHeader('content-length')
    this.contentType = req.getHeader('content-type')
    this.contentEncoding = req.getHeader('content-encoding')
    this.hasBody =
      (this.contentLength !== '' && this.contentLength !== '0') || req.getHeader('transfer-encoding') !== ''
  }
}
