import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { ApiError } from '../../shared/errors.js'
import type { Actor } from '../access/actor.js'
import { addressOf } from './address.js'
import { Body } from './body.js'
import { clientName } from './client-name.js'
import { type Content, readParameters } from './content.js'
import { dispatch, type Inbound } from './dispatch.js'
import type { Edge } from './edge.js'
import type { Flushable } from './outgoing.js'
import { type Answer, type Header, refusal } from './reply.js'

const prefix = '/api/v1'
// One native call instead of three: the native layer writes the value as it stands.
const jsonHeaders =
  'application/json\r\nCache-Control: no-cache, no-store, must-revalidate, private\r\nX-Content-Type-Options: nosniff'
const statusLines = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]))

/** One HTTP request and its answer. The native request lives only as long as the handler: what is needed is copied at once. */
export class Exchange implements Inbound, Flushable {
  readonly codec = 'json'
  readonly path: string
  method: string
  private readonly isHead: boolean
  private readonly query: string
  private readonly authorization: string
  private readonly origin: string
  private readonly userAgent: string
  private readonly forwardedFor: string
  private readonly contentLength: string = ''
  private readonly contentType: string = ''
  private readonly contentEncoding: string = ''
  private readonly hasBody: boolean = false
  private body: Buffer | undefined
  private reading: Body | undefined
  private source: Map<string, unknown> | undefined
  private controller: AbortController | undefined
  private answer: Answer | undefined
  private isOver = false
  private closes = false

  constructor(
    private readonly edge: Edge,
    private readonly res: HttpResponse,
    req: HttpRequest,
  ) {
    const url = req.getUrl()
    this.path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : ''
    this.method = req.getCaseSensitiveMethod()
    this.isHead = this.method === 'HEAD'
    this.query = req.getQuery() ?? ''
    this.authorization = req.getHeader('authorization')
    this.origin = req.getHeader('origin')
    this.userAgent = req.getHeader('user-agent')
    this.forwardedFor = req.getHeader('x-forwarded-for')
    // GET and HEAD read the query only: the native layer throws their bodies away.
    if (this.method !== 'GET' && !this.isHead) {
      this.contentLength = req.getHeader('content-length')
      this.contentType = req.getHeader('content-type')
      this.contentEncoding = req.getHeader('content-encoding')
      this.hasBody =
        (this.contentLength !== '' && this.contentLength !== '0') || req.getHeader('transfer-encoding') !== ''
    }
    edge.exchanges.add(this)
    res.onAborted(() => this.leave())
  }

  /** Reads the body, runs the operation, answers. */
  start(): void {
    if (!this.hasBody) {
      this.run()
      return
    }
    const { maxBodyBytes, bodySeconds } = this.edge.ctx.config
    this.reading = new Body(this.res, Number(this.contentLength), maxBodyBytes, bodySeconds, outcome => {
      if (outcome instanceof ApiError) {
        // The rest of the body would be taken for the next request.
        this.closes = true
        this.refuse(outcome)
        return
      }
      this.body = outcome
      this.run()
    })
  }

  private run(): void {
    if (this.method === 'OPTIONS') {
      this.finish(this.options())
      return
    }
    if (this.method === 'POST' && this.body) this.overrideMethod()
    void dispatch(this.edge, this).then(answer => this.finish(answer))
  }

  refuse(error: unknown): void {
    this.finish(refusal(this.edge.ctx, error, this.path, this.codec))
  }

  /** Clients that can only POST name the method in the body (wire facts, common.request). */
  private overrideMethod(): void {
    let method: unknown
    try {
      const sent = this.parameters()
      method = sent.get('method')
      sent.delete('method')
    } catch {
      // Told when the parameters are asked for, after the checks that come first.
    }
    if (typeof method === 'string') this.method = method
  }

  private options(): Answer {
    try {
      const { allowed } = this.edge.router.find(this.path)
      const headers: Header[] = [['Allow', allowed.join(', ')], ...this.edge.cors.preflight(this.origin, allowed)]
      return { status: 204, body: '', headers }
    } catch (thrown) {
      return refusal(this.edge.ctx, thrown, this.path, this.codec)
    }
  }

  authenticate(): Actor | null | Promise<Actor | null> {
    if (this.authorization === '') return null
    const user = this.edge.keys.fromHeader(this.authorization)
    return user instanceof Promise
      ? user.then(found => ({ user: found, client: this.client }))
      : { user, client: this.client }
  }

  parameters(): Map<string, unknown> {
    const content: Content | undefined = this.body && {
      type: this.contentType,
      encoding: this.contentEncoding,
      body: this.body,
    }
    this.source ??= readParameters(this.query, content)
    return this.source
  }

  get client(): string {
    return clientName(this.userAgent)
  }

  get address(): string {
    return this.isOver ? '' : addressOf(this.res, this.forwardedFor)
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isOver || this.edge.isStopping) this.controller.abort()
    return this.controller.signal
  }

  /** The server stops: what waits need not wait longer. */
  hurry(): void {
    this.controller?.abort()
  }

  private leave(): void {
    this.isOver = true
    this.edge.exchanges.delete(this)
    this.reading?.stop()
    this.controller?.abort()
  }

  private finish(answer: Answer): void {
    if (this.isOver || this.answer) return
    this.answer = answer
    this.edge.outgoing.push(this)
  }

  flush(): void {
    const { answer } = this
    if (this.isOver || !answer) return
    this.isOver = true
    this.edge.exchanges.delete(this)
    this.res.cork(() => this.write(answer))
  }

  private write({ status, body, headers }: Answer): void {
    const { res } = this
    const text = body as string
    if (status !== 200) res.writeStatus(statusLines.get(status) ?? String(status))
    if (status !== 204) res.writeHeader('Content-Type', jsonHeaders)
    for (const [name, value] of headers) res.writeHeader(name, value)
    if (this.origin !== '' && this.method !== 'OPTIONS') {
      for (const [name, value] of this.edge.cors.headers(this.origin)) res.writeHeader(name, value)
    }
    const closes = this.closes || this.edge.isStopping
    if (status !== 204 && !this.isHead) {
      res.end(text, closes)
      return
    }
    // Without arguments: told of a length, the native layer waits for the body.
    if (this.isHead) res.writeHeader('Content-Length', String(Buffer.byteLength(text)))
    if (closes) res.writeHeader('Connection', 'close')
    res.endWithoutBody()
  }
}
