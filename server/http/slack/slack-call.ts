import { ApiError, type ErrorCode } from '../../../shared/errors.js'
import { isHttps } from '../../config/addresses.js'
import type { WorkerCtx } from '../../ctx.js'
import type { SentBody } from '../../params/sent-body.js'
import type { UserRow } from '../../store/users/users.js'
import { jsonTextOf } from '../answer.js'
import type { Connections } from '../connections.js'
import { type Asked, InnerRequest, type OuterRequest } from '../inner-request.js'
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
  ask<Answer>(method: string, path: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const given = new Map(Object.entries(args).filter(([, value]) => value !== undefined))
    return this.answered({ method, path, args: given })
  }

  /** As `ask`, with a body that the operation reads itself. */
  send<Answer>(path: string, body: SentBody): Promise<Answer> {
    return this.answered({ method: 'POST', path, args: new Map(), body })
  }

  private async answered<Answer>(asked: Asked): Promise<Answer> {
    const inner = new InnerRequest(this.request, this.caller, asked)
    const { status, body, code } = await answerOf(this.connections, inner)
    const answer = JSON.parse(jsonTextOf(body)) as Answer & { msg: string }
    if (code === undefined) return answer
    const { msg, ...fields } = answer
    throw new ApiError(code as ErrorCode, msg, fields, status)
  }
}

/** Where the program found this server. */
export const originOf = ({ ctx, request }: SlackCall): string =>
  `${isHttps(ctx) ? 'https' : 'http'}://${request.host || new URL(ctx.publicUrl).host}`
