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
  /** Of X-Forwarded-For and X-Request-Id what a trusted proxy wrote; of anyone else they are not read. */
  forwardedFor = ''
  requestId = ''
  readonly contentLength: string = ''
  readonly contentType: string = ''
  readonly contentEncoding: string = ''
  readonly hasBody: boolean = false
  /** A proxy may have read another length, and so another end of this request than we do. */
  isAmbiguous = false

  /** `isForwarded`: a trusted proxy stands between the client and us, whose reading of the head must be ours. */
  constructor(req: HttpRequest, isForwarded: boolean) {
    const url = req.getUrl()
    this.path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : ''
    this.method = req.getCaseSensitiveMethod()
    this.query = req.getQuery() ?? ''
    this.authorization = req.getHeader('authorization')
    this.origin = req.getHeader('origin')
    this.userAgent = req.getHeader('user-agent')
    if (isForwarded) this.lookThrough(req)
    // GET and HEAD read the query only: the native layer throws their bodies away.
    if (this.method === 'GET' || this.method === 'HEAD') return
    this.contentLength = req.getHeader('content-length')
    this.contentType = req.getHeader('content-type')
    this.contentEncoding = req.getHeader('content-encoding')
    const transferEncoding = req.getHeader('transfer-encoding')
    this.hasBody = (this.contentLength !== '' && this.contentLength !== '0') || transferEncoding !== ''
    // The native layer takes any for chunked.
    if (transferEncoding !== '' && transferEncoding.toLowerCase() !== 'chunked') this.isAmbiguous = true
  }

  /** The native layer finds the first of several headers of one name; proxies add theirs behind it, or read the last. */
  private lookThrough(req: HttpRequest): void {
    const forwarded: string[] = []
    let lengths = 0
    let hosts = 0
    req.forEach((name, value) => {
      if (name === 'x-forwarded-for') forwarded.push(value)
      else if (name === 'x-request-id') this.requestId = value
      else if (name === 'content-length' || name === 'transfer-encoding') lengths++
      else if (name === 'host') hosts++
    })
    this.forwardedFor = forwarded.join(',')
    if (lengths > 1 || hosts > 1) this.isAmbiguous = true
  }
}
