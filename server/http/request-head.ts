import type { HttpRequest } from 'uWebSockets.js'
import { type PageHead, pageHead } from './page-head.js'

/** The path prefix of the API. */
export const prefix = '/api/v1'
/** The path prefix of the same operations for pages, whose sessions authenticate them. */
const pagePrefix = '/json'
// Some clients join the address of the server and a path with two slashes; the router accepts them below the prefix.
const doubledPrefix = /^\/+api\/+v1(\/.*)/

/** The parts of a native request that are used later; uWebSockets frees the request after its handler. */
export class RequestHead {
  readonly method: string
  /** The path below /api/v1 or /json; empty for a path outside of both. */
  readonly path: string
  query: string
  authorization: string
  readonly origin: string
  readonly userAgent: string
  readonly acceptEncoding: string
  /** X-Forwarded-For and X-Request-Id are read only from trusted proxies. */
  forwardedFor = ''
  requestId = ''
  /** Of a POST; several are joined. Undefined: none, which differs from an empty one. */
  idempotencyKey: string | undefined
  /**
   * Whether a program on this machine called the server directly: no proxy passed the request on, and its Host names this machine, not
   * a name that a web page made resolve to it. Read only for the operations of a demonstration.
   */
  readonly isLocal: boolean
  /**
   * Of a client that accepts server-sent events: its Last-Event-ID, empty if it has none. Undefined: it does not accept them. Read only for
   * the operation that has them.
   */
  readonly streamFrom: string | undefined
  readonly contentLength: string
  readonly isChunked: boolean
  readonly contentType: string = ''
  readonly contentEncoding: string = ''
  readonly hasBody: boolean = false
  /** Another program may read another length, and so find the end of this request elsewhere. */
  isAmbiguous = false
  /** Only below /json and for resumable uploads: nothing else looks at cookies. */
  readonly page: PageHead | undefined

  /** `isForwarded`: a trusted proxy is between the client and this server, and both must read the headers alike. */
  constructor(req: HttpRequest, isForwarded: boolean) {
    const url = req.getUrl()
    const isOfPage = url.startsWith(`${pagePrefix}/`)
    this.path = isOfPage ? url.slice(pagePrefix.length) : pathBelowPrefix(url)
    this.page = isOfPage || this.path.startsWith('/tus') ? pageHead(req) : undefined
    this.method = req.getCaseSensitiveMethod()
    this.query = req.getQuery() ?? ''
    this.authorization = req.getHeader('authorization')
    this.origin = req.getHeader('origin')
    this.userAgent = req.getHeader('user-agent')
    this.acceptEncoding = req.getHeader('accept-encoding')
    this.isLocal = this.path.startsWith('/dev_') && isDirect(req)
    const mayStream = this.path === '/events' && this.method === 'GET' && acceptsStreams(req.getHeader('accept'))
    this.streamFrom = mayStream ? req.getHeader('last-event-id') : undefined
    this.contentLength = req.getHeader('content-length')
    const transferEncoding = req.getHeader('transfer-encoding')
    this.isChunked = transferEncoding !== ''
    const isFramed = this.isChunked || this.contentLength !== ''
    if (isForwarded || isFramed || this.method === 'POST') this.lookThrough(req, isForwarded)
    if (isFramed && !isPlainFraming(this.contentLength, transferEncoding)) this.isAmbiguous = true
    // GET and HEAD use only the query: uWebSockets discards their bodies.
    if (!isFramed || this.method === 'GET' || this.method === 'HEAD') return
    this.contentType = req.getHeader('content-type')
    this.contentEncoding = req.getHeader('content-encoding')
    this.hasBody = this.isChunked || this.contentLength !== '0'
  }

  /** uWebSockets returns the first of several headers with one name; proxies append theirs, or read the last one. */
  private lookThrough(req: HttpRequest, isForwarded: boolean): void {
    const forwarded: string[] = []
    let lengths = 0
    let hosts = 0
    req.forEach((name, value) => {
      if (name === 'content-length' || name === 'transfer-encoding') lengths++
      else if (name === 'host') hosts++
      else if (name === 'idempotency-key') this.addIdempotencyKey(value)
      else if (!isForwarded) return
      else if (name === 'x-forwarded-for') forwarded.push(value)
      else if (name === 'x-request-id') this.requestId = value
    })
    this.forwardedFor = forwarded.join(',')
    if (lengths > 1 || hosts > 1) this.isAmbiguous = true
  }

  private addIdempotencyKey(value: string): void {
    this.idempotencyKey = this.idempotencyKey === undefined ? value : `${this.idempotencyKey}, ${value}`
  }
}

/** Whether one of the accepted media types, whatever its weight, is that of server-sent events. */
const acceptsStreams = (accepted: string): boolean => /(?:^|,)\s*text\/event-stream\s*(?:[,;]|$)/i.test(accepted)

const pathBelowPrefix = (url: string): string =>
  url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : (doubledPrefix.exec(url)?.[1] ?? '')

/** Whether a request has no body, or one with a single length: uWebSockets reads the trailers of chunks as another request. */
export function hasPlainFraming(req: HttpRequest): boolean {
  const length = req.getHeader('content-length')
  if (req.getHeader('transfer-encoding') !== '') return false
  return length === '' || (isPlainFraming(length, '') && countOf(req, 'content-length') === 1)
}

function countOf(req: HttpRequest, header: string): number {
  let count = 0
  req.forEach(name => {
    if (name === header) count++
  })
  return count
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** See `RequestHead.isLocal`. */
export const isDirect = (req: HttpRequest): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(req.getHeader('host')) &&
  proxyHeaders.every(name => req.getHeader(name) === '')

/** uWebSockets treats any transfer encoding as chunked, and accepts any digits as a length. */
function isPlainFraming(contentLength: string, transferEncoding: string): boolean {
  return transferEncoding === '' ? /^(?:0|[1-9]\d*)$/.test(contentLength) : transferEncoding.toLowerCase() === 'chunked'
}
