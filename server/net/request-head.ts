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
  readonly contentLength: string
  readonly isChunked: boolean
  readonly contentType: string = ''
  readonly contentEncoding: string = ''
  readonly hasBody: boolean = false
  /** Another program may read another length, and so another end of this request than this server does. */
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
    this.contentLength = req.getHeader('content-length')
    const transferEncoding = req.getHeader('transfer-encoding')
    this.isChunked = transferEncoding !== ''
    const isFramed = this.isChunked || this.contentLength !== ''
    if (isForwarded || isFramed) this.lookThrough(req, isForwarded)
    if (isFramed && !isPlainFraming(this.contentLength, transferEncoding)) this.isAmbiguous = true
    // GET and HEAD read the query only: the native layer throws their bodies away.
    if (!isFramed || this.method === 'GET' || this.method === 'HEAD') return
    this.contentType = req.getHeader('content-type')
    this.contentEncoding = req.getHeader('content-encoding')
    this.hasBody = this.isChunked || this.contentLength !== '0'
  }

  /** The native layer finds the first of several headers of one name; proxies add theirs behind it, or read the last. */
  private lookThrough(req: HttpRequest, isForwarded: boolean): void {
    const forwarded: string[] = []
    let lengths = 0
    let hosts = 0
    req.forEach((name, value) => {
      if (name === 'content-length' || name === 'transfer-encoding') lengths++
      else if (name === 'host') hosts++
      else if (!isForwarded) return
      else if (name === 'x-forwarded-for') forwarded.push(value)
      else if (name === 'x-request-id') this.requestId = value
    })
    this.forwardedFor = forwarded.join(',')
    if (lengths > 1 || hosts > 1) this.isAmbiguous = true
  }
}

/**
 * Whether a request has chunks. The native layer reads the trailers behind them as another request, so the connection may
 * not be used after it.
 */
export const isChunked = (req: HttpRequest): boolean => req.getHeader('transfer-encoding') !== ''

/** The native layer takes any transfer encoding for chunked, and any digits for a length. */
function isPlainFraming(contentLength: string, transferEncoding: string): boolean {
  return transferEncoding === '' ? /^(?:0|[1-9]\d*)$/.test(contentLength) : transferEncoding.toLowerCase() === 'chunked'
}
