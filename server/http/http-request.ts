import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError, badRequest } from '../../shared/errors.js'
import type { Actor } from '../access/actor.js'
import type { Visitor } from '../access/api-key.js'
import type { RateLimitCounter } from '../limits/rate-limit-counter.js'
import { readParameters } from '../params/read-parameters.js'
import type { RequestSignal } from '../realtime/realtime.js'
import { networkOf } from '../text/addresses.js'
import { type Answer, refusal } from './answer.js'
import { Body } from './body.js'
import { bodyLimit } from './body-limit.js'
import { clientName } from './client-name.js'
import type { Edge } from './connections.js'
import type { Placed } from './in-progress.js'
import type { Flushable } from './outgoing.js'
import { type Inbound, perform } from './pipeline.js'
import { RequestHead } from './request-head.js'
import { writeAnswer } from './write-answer.js'

/** One HTTP request and its answer. */
export class Exchange implements Inbound, Flushable, RequestSignal, Visitor, Placed {
  readonly codec = 'json'
  place = -1
  size = 0
  method: string
  private readonly head: RequestHead
  private body: Buffer | undefined
  private reading: Body | undefined
  /** The parameters if the body was already parsed, or the error to throw for them. */
  private source: Map<string, unknown> | ApiError | undefined
  private onLeave: (() => void) | undefined
  private answer: Answer | undefined
  /** The answer is written or the client is gone: the native response must not be used. */
  private isOver = false
  private closes = false
  private counter: RateLimitCounter | undefined
  private network = ''
  private readonly number: number

  constructor(
    private readonly edge: Edge,
    private readonly res: HttpResponse,
    req: HttpRequest,
  ) {
    this.head = new RequestHead(req, edge.addresses.isForwarded(res))
    this.method = this.head.method
    this.number = edge.ids.next()
    edge.exchanges.add(this)
    res.onAborted(() => this.leave())
  }

  /** Reads the body, runs the operation, answers. */
  start(): void {
    const { head } = this
    // The connection closes: its remaining bytes (trailers, or the rest of a body of another length) would be read as the next request.
    this.closes = head.isChunked || head.isAmbiguous
    if (head.isAmbiguous) {
      this.refuse(badRequest('The length of the request can be read in more than one way.'))
      return
    }
    if (!head.hasBody) {
      this.run()
      return
    }
    const { bodySeconds } = this.edge.ctx.config
    const most = bodyLimit(this.edge, this)
    this.reading = new Body(this.res, Number(this.head.contentLength), most, bodySeconds, outcome => {
      if (outcome instanceof ApiError) {
        // The rest of the body would be read as the next request.
        this.closes = true
        this.refuse(outcome)
        return
      }
      this.body = outcome
      this.size = outcome.length
      this.run()
    })
  }

  private run(): void {
    if (this.method === 'OPTIONS') {
      this.finish(this.options())
      return
    }
    perform(this.edge, this, answer => this.finish(answer))
  }

  refuse(error: ApiError): void {
    const answer = refusal(this.edge.ctx, error, this.path, this.codec, this.requestId)
    this.edge.counts.answered(undefined, answer, 0)
    this.finish(answer)
  }

  get requestId(): string {
    return this.edge.ids.text(this.number, this.head.requestId)
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

  private options(): Answer {
    try {
      const { allowed } = this.edge.router.find(this.path)
      const cors = this.edge.cors.preflight(this.head.origin, allowed)
      return { status: 204, body: '', headers: [['Allow', allowed.join(', ')], ...cors] }
    } catch (thrown) {
      return refusal(this.edge.ctx, thrown, this.path, this.codec, this.requestId)
    }
  }

  get bytes(): number {
    return this.head.query.length + (this.body?.length ?? 0)
  }

  get path(): string {
    return this.head.path
  }

  authenticate(): Actor | null | Promise<Actor | null> {
    if (this.head.authorization === '') return null
    const { client } = this
    const user = this.edge.keys.fromHeader(this.head.authorization, this)
    return user instanceof Promise ? user.then(found => ({ user: found, client })) : { user, client }
  }

  charge(actor: Actor | null): void {
    const { users, addresses } = this.edge.limits
    if (!actor) addresses?.charge(addresses.of(networkOf(this.address)))
    else if (users) {
      this.counter = users.of(actor.user.id)
      users.charge(this.counter)
    }
  }

  surcharge(actor: Actor | null, points: number): void {
    const { users, addresses } = this.edge.limits
    if (!actor) addresses?.surcharge(addresses.of(networkOf(this.address)), points)
    else if (this.counter) users?.surcharge(this.counter, points)
  }

  admit(): void {
    const { addresses } = this.edge.limits
    if (!addresses) return
    this.network = networkOf(this.address)
    addresses.charge(addresses.of(this.network))
  }

  succeeded(): void {
    this.edge.limits.addresses?.giveBack(this.network)
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
    return this.isOver ? '' : this.edge.addresses.of(this.res, this.head.forwardedFor)
  }

  get signal(): RequestSignal {
    return this
  }

  get aborted(): boolean {
    return this.isOver || this.edge.isStopping
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    // The request now waits, perhaps for minutes, so its credentials are released.
    this.head.authorization = ''
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
    this.edge.exchanges.delete(this)
    this.reading?.stop()
    this.hurry()
  }

  private finish(answer: Answer): void {
    if (this.isOver || this.answer) return
    this.answer = answer
    this.edge.outgoing.push(this)
  }

  flush(): void {
    const { answer, res, edge, head, counter } = this
    if (this.isOver || !answer) return
    this.isOver = true
    edge.exchanges.delete(this)
    const manner = {
      isHead: head.method === 'HEAD',
      closes: this.closes || edge.isStopping,
      cors: head.method === 'OPTIONS' ? [] : edge.cors.headers(head.origin),
      head: `${edge.head}${counter ? edge.limits.users?.linesOf(counter) : ''}\r\nX-Request-Id: ${this.requestId}`,
    }
    res.cork(() => writeAnswer(res, answer, manner))
  }
}
