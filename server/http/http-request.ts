import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import { EventStream } from '../api/event-stream.js'
import type { Actor } from '../auth/actor.js'
import type { ApiKeys } from '../auth/api-key.js'
import { sessionCookies } from '../auth/session-cookie.js'
import { isHttps } from '../config/addresses.js'
import { CallerCharges } from '../limits/caller-charges.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { readParameters } from '../params/read-parameters.js'
import type { SentBody } from '../params/sent-body.js'
import type { RequestSignal } from '../realtime/realtime.js'
import type { UserRow } from '../store/users/users.js'
import { type Answer, type Header, namedFields, refusal } from './answer.js'
import type { ApiRequest } from './api-request.js'
import { Body } from './body.js'
import { bodyLimit, readsStream } from './body-limit.js'
import { BodyStream } from './body-stream.js'
import { clientName } from './client-name.js'
import type { Connections, OpenRequest } from './connections.js'
import type { Flushable } from './outgoing.js'
import { packAnswer } from './pack-answer.js'
import { type PageHead, sessionTokenOf } from './page-head.js'
import { runRequest } from './pipeline.js'
import { RequestHead } from './request-head.js'
import type { PipelineDeps } from './run.js'
import type { PollRequest } from './short-polls.js'
import { beginStream, endStream, type Manner, writeAnswer } from './write-answer.js'

/** One HTTP request and its answer. */
export class HttpRequest implements ApiRequest, Flushable, OpenRequest, PollRequest {
  readonly codec = 'json'
  place = -1
  method: string
  bytes = 0
  bytesToCharge = 0
  private readonly head: RequestHead
  private readonly charges: CallerCharges
  private body: Buffer | undefined
  private reading: Body | undefined
  private stream: BodyStream | undefined
  /** The parameters if the body was already parsed, or the error to throw for them. */
  private source: Map<string, unknown> | ApiError | undefined
  private onLeave: (() => void) | undefined
  private answer: Answer | undefined
  /** The answer is written or the client is gone: the native response must not be used. */
  private isOver = false
  private closes = false
  /** The client's address, once it has been read. */
  private noted = ''
  private isShortPoll = false
  /** Of a request below /json. */
  private session: KnownSession | undefined
  /** Lets go of the session that a waiting request holds. */
  private release: (() => void) | undefined
  private cookies: readonly Header[] = []
  private readonly number: number

  constructor(
    private readonly connections: Connections,
    private readonly res: HttpResponse,
    req: NativeRequest,
  ) {
    this.head = new RequestHead(req, connections.addresses.isForwarded(res))
    this.method = this.head.method
    this.bytes = this.head.query.length
    this.charges = new CallerCharges(connections.limits, this)
    this.number = connections.ids.next()
    connections.requests.add(this)
    res.onAborted(() => this.leave())
  }

  /** Must be called in the handler of the native request. */
  start(): void {
    if (this.method === 'OPTIONS') void this.answerPreflight()
    else if (!this.waitsAtOnce()) runRequest(this.deps, this, answer => this.finish(answer))
  }

  private get deps(): PipelineDeps {
    return this.head.page ? this.connections.ofPages : this.connections
  }

  /** Takes the short path of a long poll, if this request can. */
  private waitsAtOnce(): boolean {
    const { head, charges } = this
    const { polls } = this.connections
    if (polls === undefined || head.page || head.path !== polls.path || head.method !== 'GET') return false
    const isUsual = !head.isChunked && !head.isAmbiguous && head.streamFrom === undefined
    this.isShortPoll = isUsual && polls.wait(this, head, charges)
    return this.isShortPoll
  }

  receive(): Promise<void> | undefined {
    const { head, connections } = this
    // The connection closes: its remaining bytes (trailers, or the rest of a body of another length) would be read as the next request.
    this.closes = head.isChunked || head.isAmbiguous
    if (head.isAmbiguous) throw badRequest('The length of the request can be read in more than one way.')
    if (!head.hasBody) return undefined
    if (readsStream(this.deps, this)) {
      this.stream = new BodyStream(this.res, connections.bodies, connections.ctx.config.bodySeconds)
      return undefined
    }
    const most = bodyLimit(this.deps, this, smaller => this.reading?.restrict(smaller))
    return new Promise((resolve, reject) => {
      const done = (outcome: Buffer | ApiError) => {
        if (outcome instanceof ApiError) {
          // The rest of the body would be read as the next request.
          this.closes = true
          reject(outcome)
          return
        }
        this.body = outcome
        this.bytes += outcome.length
        this.bytesToCharge = outcome.length
        resolve()
      }
      this.reading = new Body(this.res, done, {
        declared: Number(head.contentLength),
        maxBytes: most,
        seconds: connections.ctx.config.bodySeconds,
      })
    })
  }

  /** Answers without the steps of an operation: the request is refused before its path matters, and its body is not read. */
  refuse(error: unknown): void {
    const { hasBody, isChunked, isAmbiguous } = this.head
    this.closes = hasBody || isChunked || isAmbiguous
    const answer = refusal(this.connections.ctx, error, { operation: this.path, codec: this.codec, named: this })
    this.connections.counts.answered(undefined, answer, 0)
    this.finish(answer)
  }

  get requestId(): string {
    return this.connections.ids.text(this.number, this.head.requestId)
  }

  get sentBody(): SentBody | undefined {
    const { stream, head } = this
    const length = head.isChunked ? undefined : Number(head.contentLength)
    return stream && { type: head.contentType, length, stream }
  }

  get mayOverrideMethod(): boolean {
    return this.body !== undefined && this.head.method === 'POST'
  }

  /** Clients that can only POST name the method in the body (docs/protocol/conventions.md#method-override). */
  overrideMethod(): void {
    try {
      const sent = this.parameters()
      this.source = sent
      const method = sent.get('method')
      if (typeof method !== 'string') return
      sent.delete('method')
      this.method = method
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      // Answered by parameters(), after the checks that come first.
      this.source = thrown
    }
  }

  private async answerPreflight(): Promise<void> {
    try {
      await this.receive()
    } catch (thrown) {
      this.refuse(thrown)
      return
    }
    this.finish(this.options())
  }

  private options(): Answer {
    try {
      const { allowed } = this.deps.router.find(this.path)
      // A page of another origin has no session to use.
      const cors = this.head.page ? [] : this.connections.cors.preflight(this.head.origin, allowed, ', Idempotency-Key')
      return { status: 204, body: '', headers: [['Allow', allowed.join(', ')], ...cors] }
    } catch (thrown) {
      return refusal(this.connections.ctx, thrown, { operation: this.path, codec: this.codec, named: this })
    }
  }

  get path(): string {
    return this.head.path
  }

  identify(keys: ApiKeys): UserRow | null | Promise<UserRow> {
    const { authorization, page } = this.head
    if (page) return this.identifyPage(page)
    return authorization === '' ? null : keys.fromHeader(authorization, this.charges)
  }

  private identifyPage(page: PageHead): UserRow | null | Promise<UserRow> {
    const { sessions, ctx } = this.connections
    const isTls = isHttps(ctx)
    // Of a body that names another method, too: it arrives as a POST.
    const token = sessionTokenOf(page, this.head.method, isTls)
    if (token === undefined) return null
    const take = (found: KnownSession) => {
      this.session = found
      return found.user
    }
    const renewed = () => {
      this.cookies = sessionCookies(token, isTls).map(cookie => ['Set-Cookie', cookie])
    }
    const { charges } = this
    const source = { admit: () => charges.admit(), succeeded: () => charges.succeeded(), renewed }
    const found = sessions.find(token, source)
    return found instanceof Promise ? found.then(take) : take(found)
  }

  get isOfPage(): boolean {
    return this.head.page !== undefined
  }

  get sessionId(): number | undefined {
    return this.session?.id
  }

  charge(user: UserRow | null): void {
    this.charges.charge(user?.id)
  }

  surcharge(actor: Actor | null, points: number): void {
    this.charges.surcharge(actor?.user.id, points)
  }

  parameters(): Map<string, unknown> {
    const { head, body } = this
    const { query, contentType: type, contentEncoding: encoding } = head
    const source = this.source ?? readParameters(query, body && { type, encoding, body })
    this.source = undefined
    this.body = undefined
    head.query = ''
    if (source instanceof ApiError) throw source
    return source
  }

  get client(): string {
    return clientName(this.head.userAgent)
  }

  get address(): string {
    if (!this.isOver && this.noted === '') this.noted = this.connections.addresses.of(this.res, this.head.forwardedFor)
    return this.noted
  }

  /** A waiting poll on the short path causes no log line for which its address would be needed later. */
  noteAddress(): void {
    if (!this.isShortPoll) void this.address
  }

  get bodyMs(): number {
    return this.stream?.waitedMs ?? 0
  }

  get idempotencyKey(): string | undefined {
    return this.head.idempotencyKey
  }

  get isLocal(): boolean {
    return this.head.isLocal
  }

  get streamFrom(): string | undefined {
    return this.head.streamFrom
  }

  get signal(): RequestSignal {
    return this
  }

  get aborted(): boolean {
    return this.isOver || this.connections.isStopping
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    // The request now waits, perhaps for minutes, so its credentials and its query are released.
    this.head.authorization = ''
    this.head.query = ''
    if (this.session) this.release ??= this.connections.sessions.hold(this.session, () => this.hurry())
    const before = this.onLeave
    this.onLeave = before
      ? () => {
          before()
          listener()
        }
      : listener
  }

  /** Ends the wait of an operation: its client is gone, or the server stops. */
  hurry(): void {
    const { onLeave } = this
    this.onLeave = undefined
    onLeave?.()
  }

  private leave(): void {
    this.isOver = true
    this.release?.()
    this.connections.requests.delete(this)
    this.reading?.stop()
    this.stream?.abandon()
    this.hurry()
  }

  private finish(answer: Answer): void {
    this.stream?.settle()
    if (this.isOver || this.answer) return
    this.answer = this.head.page ? withoutPrompt(answer) : answer
    const send = () => this.whenPacked(() => this.connections.outgoing.push(this))
    if (!this.stream || this.stream.isComplete) {
      send()
      return
    }
    // The rest of the body would be read as the next request.
    this.closes = true
    this.stream.discard(send)
  }

  /** Compresses the answer if it is large and the client accepts it; calls `next` at once unless a thread does it, otherwise the answer goes out with others. */
  private whenPacked(next: () => void): void {
    const { answer, head, connections } = this
    const mayPack = answer && (!head.page || mayReadPacked(head.page))
    const packed = mayPack ? packAnswer(connections.packer, answer, head.acceptEncoding) : answer
    if (!(packed instanceof Promise)) {
      this.answer = packed
      next()
      return
    }
    const send = () => connections.outgoing.push(this)
    packed
      .then(
        ready => {
          this.answer = ready
        },
        err => connections.ctx.log.error({ err, ...namedFields(this) }, 'an answer could not be compressed'),
      )
      .then(send)
  }

  /** Must be called while no other connection is corked. */
  answerNow(answer: Answer): void {
    if (this.isOver || this.answer) return
    this.answer = answer
    this.whenPacked(() => this.flush())
  }

  flush(): void {
    const { answer, res, connections, head } = this
    if (this.isOver || !answer) return
    const { body } = answer
    if (!(body instanceof EventStream)) this.end()
    const manner = {
      isHead: head.method === 'HEAD',
      closes: this.closes || connections.isStopping,
      further: head.page ? this.cookies : head.method === 'OPTIONS' ? [] : connections.cors.headers(head.origin),
      head: `${connections.head}${this.charges.lines}\r\nX-Request-Id: ${this.requestId}`,
    }
    this.stream?.release()
    if (body instanceof EventStream) this.begin(body, answer, manner)
    else res.cork(() => writeAnswer(res, answer, manner))
  }

  /** The native response must not be used after the answer. */
  private end(): void {
    this.isOver = true
    this.release?.()
    this.connections.requests.delete(this)
  }

  /** The request stays in progress until its events end. */
  private begin(events: EventStream, answer: Answer, manner: Manner): void {
    const { res } = this
    res.onWritable(() => {
      events.drained()
      return true
    })
    res.cork(() => beginStream(res, answer, manner))
    events.open({
      write: bytes => {
        let isTaken = true
        if (!this.isOver)
          res.cork(() => {
            isTaken = res.write(bytes)
          })
        return isTaken
      },
      end: () => {
        if (this.isOver) return
        this.end()
        endStream(res, this.connections.isStopping)
      },
    })
  }
}

/** A page of another site that makes a browser open an address here could learn from lengths what an answer has in common with the address. */
const mayReadPacked = ({ site }: PageHead): boolean => site === '' || site === 'same-origin' || site === 'none'

/** For Basic a browser would ask the user for a password itself, and the page would wait. */
const withoutPrompt = (answer: Answer): Answer =>
  answer.code === 'UNAUTHORIZED'
    ? { ...answer, headers: answer.headers.map(([name, value]) => [name, value.replace(/^Basic /, 'Session ')]) }
    : answer
