import type { EventStream } from '../api/event-stream.js'
import { type Fields, Redirect } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { ApiKeys } from '../auth/api-key.js'
import type { Sessions } from '../auth/sessions.js'
import type { WorkerCtx } from '../ctx.js'
import type { LargeRequests } from '../limits/large-requests.js'
import { surchargeOf } from '../limits/request-cost.js'
import type { Activity } from '../metrics/activity.js'
import type { FilePart } from '../params/file-part.js'
import type { StatementTally } from '../store/driver/statement-tally.js'
import type { UserRow } from '../store/users/users.js'
import { type Answer, refusal, sizeOf, success } from './answer.js'
import type { ApiRequest } from './api-request.js'
import type { ClientBrands } from './client-brands.js'
import { type ConnectionCounts, waiting } from './connection-counts.js'
import { leastPackedPoll } from './pack-answer.js'
import type { RequestIds } from './request-ids.js'
import { logAnswered, type RequestScopes } from './request-scope.js'
import { type Found, nowhere, type Operation, type Router } from './router.js'
import type { SlowRequest, SlowRequests } from './slow-requests.js'

/** What the steps of a request use. */
export interface PipelineDeps {
  readonly ctx: WorkerCtx
  readonly router: Router
  readonly keys: ApiKeys
  readonly sessions: Sessions
  readonly counts: ConnectionCounts
  readonly activity: Activity
  readonly large: LargeRequests
  readonly ids: RequestIds
  readonly brands: ClientBrands
  /** Creates the context of each request. */
  readonly scope: RequestScopes
  readonly slow: SlowRequests
}

const noParams: Readonly<Record<string, unknown>> = {}
const noFiles: readonly FilePart[] = []
const nothingSent: ReadonlyMap<string, unknown> = new Map()

/** One request on its way through the steps of pipeline.ts. */
export class Run {
  found: Found = nowhere
  /** The operation, once path and method have named it. */
  chosen: Operation | undefined
  actor: Actor | null = null
  params: Record<string, unknown> = noParams
  ignored: readonly string[] = []
  files: readonly FilePart[] = noFiles
  /** Of an operation that redirects: what the request sent. */
  sent: ReadonlyMap<string, unknown> = nothingSent
  /** Ends the turn of a large request. */
  endTurn: (() => void) | undefined
  /** In `Activity`; -1: none. */
  slot = -1
  /** Counts the statements of the operation. */
  tally: StatementTally | undefined
  // When the request had got so far, in µs after `since`; 0: not yet. Small integers, because each fraction would be an object.
  private admittedAt = 0
  private turnAt = 0
  private handledAt = 0
  private resultAt = 0
  // Times are of performance.now(), in ms.
  /** The present stretch of work began then; -1: the request waits. */
  private busyFrom = performance.now()
  private busyMs = 0
  private since = this.busyFrom

  constructor(
    readonly deps: PipelineDeps,
    readonly request: ApiRequest,
    private readonly done: (answer: Answer) => void,
  ) {}

  /** @throws {Error} before the step that finds the operation. */
  get operation(): Operation {
    if (!this.chosen) throw new Error('the operation is not known yet')
    return this.chosen
  }

  /** The request is complete: how long its client took to send it does not count. */
  begin(): void {
    this.since = this.busyFrom
  }

  /** The caller is known and counted; null: it has no account. */
  admit(user: UserRow | null): void {
    const { client, sessionId } = this.request
    this.actor = user && { user, client, sessionId }
    this.admittedAt = this.passed()
  }

  /** A large request has its turn. */
  gotTurn(): void {
    this.turnAt = this.passed()
  }

  /** The operation begins. */
  handling(): void {
    this.handledAt = this.passed()
  }

  private passed(): number {
    return Math.ceil((performance.now() - this.since) * 1000) | 0
  }

  /** The decoded parameters, once: a waiting poll keeps no more than it needs. */
  takeParams(): Record<string, unknown> {
    const { params } = this
    this.params = noParams
    return params
  }

  resume(): void {
    if (this.busyFrom < 0) this.busyFrom = performance.now()
  }

  /** Time in which the request waits does not count towards its cost. */
  pause(): void {
    if (this.busyFrom < 0) return
    this.busyMs += performance.now() - this.busyFrom
    this.busyFrom = -1
  }

  succeed(fields: Fields | EventStream): void {
    this.resultAt = this.passed()
    try {
      const passed = fields instanceof Redirect ? fields.passingOn(this.sent) : fields
      const answer = success(passed, this.ignored, this.request.codec)
      const { isSecret, operation } = this.operation.route
      if (isSecret) this.end({ ...answer, isSecret })
      else if (waiting.has(operation)) this.end({ ...answer, leastPacked: leastPackedPoll })
      else this.end(answer)
    } catch (thrown) {
      this.refuse(thrown)
    }
  }

  refuse(thrown: unknown): void {
    this.resultAt = this.passed()
    const { request, chosen } = this
    const name = chosen?.route.operation ?? request.path
    this.end(refusal(this.deps.ctx, thrown, { operation: name, codec: request.codec, named: request }))
  }

  private end(answer: Answer): void {
    this.pause()
    const { request, actor, chosen, since } = this
    const { activity, counts, scope, ctx } = this.deps
    const points = surchargeOf({ ms: this.busyMs, bytesIn: request.bytesToCharge, bytesOut: sizeOf(answer) })
    if (points > 0 && answer.code !== 'RATE_LIMIT_HIT') request.surcharge(actor, points)
    activity.end(this.slot)
    this.slot = -1
    this.endTurn?.()
    counts.answered(chosen?.route, answer, since)
    if (scope.isTraced) logAnswered(ctx.log, request, { route: chosen?.route, status: answer.status, since, actor })
    const ms = performance.now() - since - request.bodyMs
    const slow = this.deps.slow.isSlow(ms, chosen?.route) ? this.slowRequest(answer, ms) : undefined
    this.done(answer)
    if (slow) this.deps.slow.answered(slow)
  }

  private slowRequest(answer: Answer, ms: number): SlowRequest {
    const { request, chosen, actor, tally, busyMs, admittedAt, turnAt, handledAt, resultAt } = this
    const { requestId, address, bodyMs, bytes, signal } = request
    const part = (from: number, to: number) => (to > 0 ? (to - from) / 1000 : undefined)
    return {
      named: { requestId, address },
      route: chosen?.route,
      status: answer.status,
      user: actor?.user.id,
      ms,
      bodyMs,
      busyMs,
      parts: {
        authenticate: part(0, admittedAt),
        wait: part(admittedAt, turnAt),
        parse: part(turnAt, handledAt),
        handle: handledAt > 0 ? (resultAt - handledAt) / 1000 - bodyMs : undefined,
        encode: ms + bodyMs - resultAt / 1000,
      },
      tally,
      bytesIn: bytes,
      bytesOut: sizeOf(answer),
      isGone: signal.aborted,
    }
  }
}
