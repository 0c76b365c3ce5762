import { badRequest } from '../../../shared/errors.js'
import type { Route } from '../../api/route.js'
import type { UserRow } from '../../store/users/users.js'
import type { ApiRequest } from '../api-request.js'
import type { McpRequest } from './mcp-request.js'

/** The call of a tool, as a request for its operation. */
export class ToolRequest implements ApiRequest {
  readonly codec = 'json'
  readonly sessionId = undefined
  readonly isLocal = false
  readonly streamFrom = undefined
  readonly idempotencyKey = undefined
  readonly bodyMs = 0
  readonly bytesToCharge = 0
  readonly mayOverrideMethod = false
  readonly sentBody = undefined
  readonly signal = new AbortController().signal
  readonly method: string
  readonly path: string
  private readonly given: Map<string, unknown>

  /** @throws {ApiError} BAD_REQUEST if a part of the path is missing */
  constructor(
    private readonly outer: McpRequest,
    private readonly caller: UserRow,
    { method, path }: Route,
    args: Readonly<Record<string, unknown>>,
  ) {
    this.method = method
    this.given = new Map(Object.entries(args))
    this.path = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = this.given.get(name)
      this.given.delete(name)
      if (typeof value !== 'string' && typeof value !== 'number') throw badRequest(`Missing '${name}' argument`)
      return encodeURIComponent(value)
    })
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

  /** The request with the call was admitted a moment ago, and counted. */
  identify(): UserRow {
    return this.caller
  }

  charge(): void {}

  surcharge(_actor: unknown, points: number): void {
    this.outer.charges.surcharge(this.caller.id, points)
  }

  overrideMethod(): void {}

  parameters(): Map<string, unknown> {
    return this.given
  }
}
