import type { CallerCharges } from '../limits/caller-charges.js'
import type { SentBody } from '../params/sent-body.js'
import type { UserRow } from '../store/users/users.js'
import type { ApiRequest } from './api-request.js'

/** A request in another protocol, whose caller was admitted and counted. */
export interface OuterRequest {
  readonly client: string
  readonly address: string
  readonly requestId: string
  /** Of the body. */
  readonly bytes: number
  readonly charges: CallerCharges
}

/** An operation with its arguments. */
export interface Asked {
  readonly method: string
  /** The path below /api/v1, percent-encoded. */
  readonly path: string
  readonly args: ReadonlyMap<string, unknown>
  /** Of an operation that reads the body itself. */
  readonly body?: SentBody | undefined
}

/** What a request in another protocol asks for, as a request for an operation. */
export class InnerRequest implements ApiRequest {
  readonly codec = 'json'
  readonly sessionId = undefined
  readonly isLocal = false
  readonly streamFrom = undefined
  readonly idempotencyKey = undefined
  readonly bodyMs = 0
  readonly bytesToCharge = 0
  readonly mayOverrideMethod = false
  readonly signal = new AbortController().signal
  readonly method: string
  readonly path: string

  constructor(
    private readonly outer: OuterRequest,
    private readonly caller: UserRow,
    private readonly asked: Asked,
  ) {
    this.method = asked.method
    this.path = asked.path
  }

  get sentBody(): SentBody | undefined {
    return this.asked.body
  }

  get client(): string {
    return this.outer.client
  }

  get address(): string {
    return this.outer.address
  }

  get requestId(): string {
    return this.outer.requestId
  }

  get bytes(): number {
    return this.outer.bytes
  }

  receive(): undefined {}

  /** Admitted with the outer request a moment ago, and counted. */
  identify(): UserRow {
    return this.caller
  }

  charge(): void {}

  surcharge(_actor: unknown, points: number): void {
    this.outer.charges.surcharge(this.caller.id, points)
  }

  overrideMethod(): void {}

  parameters(): Map<string, unknown> {
    return new Map(this.asked.args)
  }
}
