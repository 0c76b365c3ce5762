import { basic, type Credentials } from '../support/http.js'
import { type Endpoint, head, RawConnection } from './raw.js'
import { closes, type RawAnswer, valuesOf } from './raw-answer.js'

export interface EdgeRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

/** Requests of every kind to a path: methods, bodies, conditions, ranges, encodings. */
export function requestsTo(path: string, who: Credentials | null): EdgeRequest[] {
  const credentials: Record<string, string> = who ? { Authorization: basic(who) } : {}
  const request = (method: string, headers: Record<string, string | number> = {}, body = ''): EdgeRequest => ({
    method,
    path,
    headers: { ...credentials, ...headers },
    body,
  })
  const sized = (method: string) => request(method, { 'Content-Length': 5 }, 'hello')
  const chunked = (method: string) => request(method, { 'Transfer-Encoding': 'chunked' }, '5\r\nhello\r\n0\r\n\r\n')
  return [
    ...['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PURGE'].map(method => request(method)),
    ...['POST', 'PUT', 'PATCH'].map(method => request(method, { 'Content-Length': 0 })),
    ...['GET', 'HEAD'].flatMap(method => [
      request(method, { 'If-None-Match': '*' }),
      request(method, { Range: 'bytes=0-0' }),
      request(method, { Range: 'bytes=99999999-' }),
      request(method, { 'Accept-Encoding': 'gzip, br', Accept: 'text/html' }),
      request(method, { Accept: 'image/webp,*/*' }),
    ]),
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].flatMap(method => [sized(method), chunked(method)]),
  ]
}

// nginx ends a connection after a thousand.
const mostRequests = 400

/** Requests one after the other on one connection, with another one after each answer that must get the right answer. */
export class ReusedConnection {
  /** What was answered so far, as method and status. */
  readonly seen = new Set<string>()
  private raw: RawConnection | undefined
  private requests = 0

  constructor(private readonly endpoint: Endpoint) {}

  /** What is wrong with the answer to a request, or with the connection after it; undefined: nothing. */
  async complaintOf(request: EdgeRequest): Promise<string | undefined> {
    if (++this.requests % mostRequests === 0) this.end()
    this.raw ??= new RawConnection(this.endpoint)
    const { raw } = this
    const { method, path, headers, body } = request
    try {
      const answer = await raw.write(head(method, path, headers) + body).answer(method)
      const complaint = answer ? await this.judge(raw, request, answer) : this.ended('no answer')
      return complaint && `${nameOf(request)}: ${complaint}`
    } catch (error) {
      return this.ended(`${nameOf(request)}: ${error}`)
    }
  }

  end(): void {
    this.raw?.destroy()
    this.raw = undefined
  }

  private async judge(
    raw: RawConnection,
    { method, body }: EdgeRequest,
    answer: RawAnswer,
  ): Promise<string | undefined> {
    this.seen.add(`${method} ${answer.status}`)
    if (answer.status >= 500 && answer.status !== 505) return this.ended(`status ${answer.status}`)
    const isNative = isOfNativeLayer(method, answer)
    if (!isNative && !isEnvelope(method, answer))
      return this.ended(`${answer.status} with the body ${answer.body.slice(0, 200)}`)
    const mayClose = body !== '' || isNative
    if (!closes(answer)) return this.probe(raw)
    await raw.closed()
    if ((await raw.untilClosed()) !== '' && !isNative) return this.ended('more bytes after the last answer')
    return this.ended(mayClose ? undefined : `the answer ${answer.status} ends the connection`)
  }

  private ended(complaint: string | undefined): string | undefined {
    this.end()
    return complaint
  }

  /** Its answer has an id that no other answer has. */
  private async probe(raw: RawConnection): Promise<string | undefined> {
    const id = `probe-${this.requests}`
    const answer = await raw.write(head('GET', '/api/v1/server_settings', { 'X-Request-Id': id })).answer()
    if (!answer) return this.ended('the next request gets no answer')
    if (answer.status !== 200 || valuesOf(answer, 'x-request-id')[0] !== id)
      return this.ended(`the next request gets ${answer.head}`)
    return undefined
  }
}

/** The native layer refuses what is no request with a page of its own, also after HEAD. */
const isOfNativeLayer = (method: string, { status, body, head }: RawAnswer): boolean =>
  status >= 400 && (method === 'HEAD' ? !/^content-type: application\/json/im.test(head) : body.includes('uWebSockets'))

/** Errors have the envelope of the API, but for those of pages and of ranges, which have no body, and for pages that browsers ask for. */
function isEnvelope(method: string, answer: RawAnswer): boolean {
  const { status, body } = answer
  if (status < 400 || method === 'HEAD') return true
  const [type = ''] = valuesOf(answer, 'content-type')
  if (type === 'application/json') {
    const { result, code, msg } = JSON.parse(body)
    return result === 'error' && /^[A-Z_]+$/.test(code) && typeof msg === 'string'
  }
  if (type === 'application/scim+json') return JSON.parse(body).status === String(status)
  return /^(?:image\/png|text\/html)/.test(type) || (body === '' && (status === 405 || status === 416))
}

function nameOf({ method, path, headers }: EdgeRequest): string {
  const { Authorization, ...others } = headers
  return `${Authorization ? 'known ' : ''}${method} ${path} ${JSON.stringify(others)}`.slice(0, 300)
}
