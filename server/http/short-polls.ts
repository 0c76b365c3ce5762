import { JsonFields, type Route } from '../api/route.js'
import type { CallerCharges } from '../limits/caller-charges.js'
import { surchargeOf } from '../limits/request-cost.js'
import { anyAccount } from '../policies/allow.js'
import { isOpenTo } from '../policies/bots.js'
import type { PollAnswer, RequestSignal, WaitingReceiver } from '../realtime/realtime.js'
import { type Answer, refusal, sizeOf, success } from './answer.js'
import { waiting } from './connection-counts.js'
import { leastPackedPoll } from './pack-answer.js'
import type { RequestHead } from './request-head.js'
import type { PipelineDeps } from './run.js'

// The form in which clients repeat a poll. Its values need no decoding.
const usualQuery = /^queue_id=([\w-]{1,64})&last_event_id=(-1|[1-9]\d{0,15})$/
const noHeaders: readonly [] = []

/** A request that waits on the short path. */
export interface PollRequest extends RequestSignal {
  readonly requestId: string
  readonly address: string
  /** Writes the answer before it returns. */
  answerNow(answer: Answer): void
}

/**
 * The short path of a long poll: a repeated poll that every step of pipeline.ts would admit waits without them, because they and their
 * objects are a quarter of what a poll costs in user mode.
 */
export class ShortPolls {
  readonly path: string
  private readonly bodies = new PollBodies()

  private constructor(
    private readonly deps: PipelineDeps,
    private readonly route: Route,
  ) {
    this.path = route.path
  }

  /** Undefined: no operation waits for events, or not every account may call it. */
  static of(deps: PipelineDeps, routes: readonly Route[]): ShortPolls | undefined {
    const route = routes.find(({ operation, allow }) => waiting.has(operation) && allow === anyAccount)
    return route && new ShortPolls(deps, route)
  }

  /** False: nothing has changed, and the request takes the steps, of which one may refuse it. */
  wait(request: PollRequest, { query, authorization }: RequestHead, charges: CallerCharges): boolean {
    const { ctx, keys, scope } = this.deps
    const found = scope.isTraced ? null : usualQuery.exec(query)
    if (!found) return false
    const user = keys.accountOf(authorization)
    if (!user || !isOpenTo(user, this.route) || !charges.hasLeft(user.id)) return false
    const poll = new ShortPoll(this, request, charges, user.id)
    if (!ctx.realtime.pollHere(found[1] as string, user.id, Number(found[2]), poll)) return false
    charges.charge(user.id)
    return true
  }

  answer(answer: PollAnswer): Answer {
    const body = this.bodies.of(answer)
    if (body) return { status: 200, body, headers: noHeaders, leastPacked: leastPackedPoll }
    const fields = new JsonFields(answer.field, `,"queue_id":"${answer.queueId}"`)
    return { ...success(fields, [], 'json'), leastPacked: leastPackedPoll }
  }

  refusal(error: unknown, request: PollRequest): Answer {
    return refusal(this.deps.ctx, error, { operation: this.route.operation, codec: 'json', named: request })
  }

  count(answer: Answer): void {
    this.deps.counts.answered(this.route, answer, 0)
  }
}

class ShortPoll implements WaitingReceiver {
  constructor(
    private readonly polls: ShortPolls,
    readonly signal: PollRequest,
    private readonly charges: CallerCharges,
    private readonly userId: number,
  ) {}

  answered(answer: PollAnswer): void {
    try {
      this.end(this.polls.answer(answer))
    } catch (thrown) {
      this.failed(thrown)
    }
  }

  failed(error: unknown): void {
    this.end(this.polls.refusal(error, this.signal))
  }

  private end(answer: Answer): void {
    const points = surchargeOf({ ms: 0, bytesIn: 0, bytesOut: sizeOf(answer) })
    if (points > 0) this.charges.surcharge(this.userId, points)
    this.polls.count(answer)
    this.signal.answerNow(answer)
  }
}

const beginning = '{"result":"success","msg":"",'
const beforeId = ',"queue_id":"'
const end = '"}'

/**
 * The bodies of short answers. Polls with the same events are answered one after another, and their bodies differ only in the id of the
 * queue, which is written into the bytes of the body before.
 */
class PollBodies {
  private readonly buffer = Buffer.allocUnsafe(16 * 1024)
  private body = this.buffer
  private field: Uint8Array | undefined
  private idLength = 0
  private idAt = 0

  /** Valid until the next call; undefined: it is too long. */
  of({ field, queueId }: PollAnswer): Uint8Array | undefined {
    if (field !== this.field || queueId.length !== this.idLength) {
      const bytes = beginning.length + field.length + beforeId.length + queueId.length + end.length
      if (bytes > this.buffer.length) return undefined
      this.fill(field, queueId.length)
    }
    const body = this.body
    const at = this.idAt
    // Cheaper than a call of `write` for so few characters.
    for (let i = 0; i < queueId.length; i++) body[at + i] = queueId.charCodeAt(i)
    return body
  }

  private fill(field: Uint8Array, idLength: number): void {
    const buffer = this.buffer
    let at = buffer.write(beginning, 'latin1')
    buffer.set(field, at)
    at += field.length
    this.idAt = at + buffer.write(beforeId, at, 'latin1')
    at = this.idAt + idLength
    this.body = buffer.subarray(0, at + buffer.write(end, at, 'latin1'))
    this.field = field
    this.idLength = idLength
  }
}
