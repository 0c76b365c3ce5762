import { badRequest } from '../../shared/errors.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { ClientFrame } from '../../shared/wire/frames.js'
import type { Actor } from '../auth/actor.js'
import { budgets } from '../config/budgets.js'
import type { ApiRequest } from '../http/api-request.js'
import { readParameters } from '../params/read-parameters.js'
import type { UserRow } from '../store/users/users.js'
import type { Session } from './session.js'

type RequestFrame = Extract<ClientFrame, { op: 'request' }>

/** A request in a frame. Its parameters are values; they win over those of the path's query, which are text. */
export class SocketRequest implements ApiRequest {
  readonly path: string
  readonly mayOverrideMethod = false
  readonly bytesToCharge = 0
  readonly bodyMs = 0
  readonly isLocal = false
  readonly streamFrom = undefined
  readonly sentBody = undefined
  readonly idempotencyKey: string | undefined
  private readonly query: string
  private readonly number: number
  private readonly params: Readonly<Record<string, unknown>>

  constructor(
    private readonly session: Session,
    readonly method: string,
    { path, params, idempotency_key }: Pick<RequestFrame, 'path' | 'params' | 'idempotency_key'>,
    readonly bytes: number,
  ) {
    this.params = params ?? {}
    this.idempotencyKey = idempotency_key ?? undefined
    this.number = session.connections.ids.next()
    const mark = path.indexOf('?')
    this.path = mark < 0 ? path : path.slice(0, mark)
    this.query = mark < 0 ? '' : path.slice(mark + 1)
  }

  get sessionId(): number | undefined {
    return this.session.caller.sessionId
  }

  get codec(): Codec {
    return this.session.codec
  }

  get client(): string {
    return this.session.caller.client
  }

  get address(): string {
    return this.session.address
  }

  get requestId(): string {
    return this.session.connections.ids.text(this.number, '')
  }

  get signal(): AbortSignal {
    return this.session.signal
  }

  /** A frame arrives whole. */
  receive(): undefined {}

  identify(): UserRow | null {
    return this.session.identify()
  }

  charge(): void {
    this.session.charge()
  }

  surcharge(_actor: Actor | null, points: number): void {
    this.session.surcharge(points)
  }

  /** A frame names its method itself. */
  overrideMethod(): void {}

  parameters(): Map<string, unknown> {
    const source = readParameters(this.query, undefined)
    const entries = Object.entries(this.params)
    const most = budgets.formPairs.most
    if (entries.length > most) throw badRequest(`The frame has more than ${most} parameters.`)
    for (const [name, value] of entries) {
      if (value !== undefined) source.set(name, value)
    }
    return source
  }
}
