import { ApiError } from '../../shared/errors.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { Actor } from '../access/actor.js'
import type { ApiKeys } from '../access/api-key.js'
import { isOpenTo } from '../access/api-key.js'
import type { Route } from '../api/route.js'
import type { Ctx } from '../ctx.js'
import type { Leaving } from '../realtime/realtime.js'
import type { Source } from './params.js'
import { type Answer, refusal, success } from './reply.js'
import { operationOf, type Router } from './router.js'

/** One request for an operation, whichever transport it came by. */
export interface Inbound {
  readonly method: string
  /** Below /api/v1, still percent-encoded. */
  readonly path: string
  readonly codec: Codec
  readonly client: string
  readonly address: string
  readonly signal: Leaving
  /** Null: no credentials. @throws {ApiError} UNAUTHORIZED */
  authenticate(): Actor | null | Promise<Actor | null>
  /** To be asked once. @throws {ApiError} for what cannot be decoded. */
  parameters(): Source
}

/** What a request needs of its server. */
export interface Operations {
  readonly ctx: Ctx
  readonly router: Router
  readonly keys: ApiKeys
}

/**
 * Runs one operation. The order of checks is the wire's: route, method, authentication, role, parameters; permissions and
 * existence are the operation's own. Never rejects.
 */
export async function dispatch({ ctx, router }: Operations, inbound: Inbound): Promise<Answer> {
  let operation = inbound.path
  try {
    const found = router.find(inbound.path)
    const { route, reader } = operationOf(found, inbound.method === 'HEAD' ? 'GET' : inbound.method)
    operation = route.operation
    const identity = route.allow === 'anyone' ? null : inbound.authenticate()
    const actor = identity instanceof Promise ? await identity : identity
    admit(route, actor)
    const { params, ignored } = reader.read(inbound.parameters(), found.values)
    const fields = await route.handle(new OperationCall(ctx, actor, params, inbound) as never)
    return success(fields, ignored, inbound.codec)
  } catch (thrown) {
    return refusal(ctx, thrown, operation, inbound.codec)
  }
}

function admit(route: Route, actor: Actor | null): void {
  if (actor && !isOpenTo(actor.user, route)) {
    throw new ApiError('UNAUTHORIZED', 'This API is not available to incoming webhook bots.')
  }
  if (typeof route.allow !== 'function') return
  if (!actor) throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication is required.')
  route.allow(actor)
}

/** What `handle` is given. */
class OperationCall {
  constructor(
    readonly ctx: Ctx,
    readonly actor: Actor | null,
    readonly params: Record<string, unknown>,
    private readonly inbound: Inbound,
  ) {}

  get signal(): Leaving {
    return this.inbound.signal
  }

  get client(): string {
    return this.inbound.client
  }

  get address(): string {
    return this.inbound.address
  }
}
