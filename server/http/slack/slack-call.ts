import { ApiError, type ErrorCode } from '../../../shared/errors.js'
import type { WorkerCtx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import { jsonTextOf } from '../answer.js'
import type { Connections } from '../connections.js'
import { InnerRequest, type OuterRequest } from '../inner-request.js'
import { answerOf } from '../pipeline.js'

interface Origin extends OuterRequest {
  /** Where the program found this server. */
  readonly host: string
}

/** A call of a method by an admitted account. */
export class SlackCall {
  constructor(
    readonly connections: Connections,
    readonly request: Origin,
    readonly caller: UserRow,
  ) {}

  get ctx(): WorkerCtx {
    return this.connections.ctx
  }

  /** The answer of an operation to the caller. `path`: below /api/v1. @throws {ApiError} what it refuses with */
  async ask<Answer>(method: string, path: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const given = new Map(Object.entries(args).filter(([, value]) => value !== undefined))
    const inner = new InnerRequest(this.request, this.caller, { method, path, args: given })
    const { status, body, code } = await answerOf(this.connections, inner)
    const answer = JSON.parse(jsonTextOf(body)) as Answer & { msg: string }
    if (code === undefined) return answer
    const { msg, ...fields } = answer
    throw new ApiError(code as ErrorCode, msg, fields, status)
  }
}
