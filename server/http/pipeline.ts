import { ApiError } from '../../shared/errors.js'
import type { Codec } from '../../shared/wire/codec.js'
import type { Route } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { ApiKeys } from '../auth/api-key.js'
import type { Ctx } from '../ctx.js'
import type { LargeRequests } from '../limits/large-requests.js'
import { surchargeOf } from '../limits/request-cost.js'
import type { Activity } from '../metrics/activity.js'
import type { Source } from '../params/param-reader.js'
import type { RequestSignal } from '../realtime/realtime.js'
import { type Answer, refusal, sizeOf, success } from './answer.js'
import type { EdgeCounts } from './connection-counts.js'
import type { RequestIds } from './request-ids.js'
import { logAnswered, type RequestScopes } from './request-scope.js'
import { type Found, type Operation, operationOf, type Router } from './router.js'

/** One request for an operation, over HTTP or over a socket. */
export interface Inbound {
  readonly method: string
  /** The path below /api/v1, still percent-encoded. */
  readonly path: string
  readonly codec: Codec
  readonly client: string
  readonly address: string
  readonly signal: RequestSignal
  /** Bytes of query and body, or of the frame; valid until the parameters are read. */
  readonly bytes: number
  /** Identifies the request in the log, and in the answer's headers over HTTP. */
  readonly requestId: string
  /** Null: no credentials. @throws {ApiError} UNAUTHORIZED; RATE_LIMIT_HIT after too many failures from the client's network */
  authenticate(): Actor | null | Promise<Actor | null>
  /** The body may name another method; it is read only after the request has been counted. */
  readonly mayOverrideMethod: boolean
  /** Counts the request against the caller; null: against the client's network. @throws {ApiError} RATE_LIMIT_HIT */
  charge(actor: Actor | null): void
  /** Parses the body and sets `method` to the method that it names. Parse errors are thrown later, by `parameters`. */
  overrideMethod(): void
  /** Bytes of the body or frame. */
  readonly size: number
  /** Counts `points` further requests against the caller; null: against the client's network. */
  surcharge(actor: Actor | null, points: number): void
  /** May be called once. @throws {ApiError} for parameters that cannot be decoded. */
  parameters(): Source
}

/** The parts of the server that requests use. */
export interface Operations {
  readonly ctx: Ctx
  readonly router: Router
  readonly keys: ApiKeys
  readonly counts: EdgeCounts
  readonly activity: Activity
  readonly large: LargeRequests
  readonly ids: RequestIds
  /** Creates the context of each request. */
  readonly scope: RequestScopes
}

/** Runs one operation. Never rejects. */
export function dispatch(operations: Operations, inbound: Inbound): Promise<Answer> {
  return new Promise(resolve => perform(operations, inbound, resolve))
}

/**
 * Runs one operation and calls `done` with its answer, synchronously if the operation does not wait. The contract fixes the order of
 * checks: route, method, authentication, rate limit, role, parameters; the operation itself checks permissions and existence. A method in
 * the body is checked after the rate limit, because only the bodies of counted callers are parsed. Uses no `await`, which would allocate an
 * async frame for each of a thousand waiting polls.
 */
export function perform(operations: Operations, inbound: Inbound, done: (answer: Answer) => void): void {
  const { ctx, router, counts, activity, large, scope } = operations
  const since = performance.now()
  let wanted: Operation | undefined
  let who: Actor | null = null
  let slot = -1
  let ended: (() => void) | undefined
  // Counts only the time in which this request occupies the worker, not the time between pause and resume.
  let busyFrom = since
  let busyMs = 0
  const pause = () => {
    const now = performance.now()
    busyMs += now - busyFrom
    busyFrom = now
  }
  const resume = () => {
    busyFrom = performance.now()
  }
  const end = (answer: Answer) => {
    pause()
    const points = surchargeOf({ ms: busyMs, bytesIn: inbound.size, bytesOut: sizeOf(answer) })
    if (points > 0 && answer.code !== 'RATE_LIMIT_HIT') inbound.surcharge(who, points)
    activity.end(slot)
    slot = -1
    ended?.()
    counts.answered(wanted?.route, answer, since)
    if (scope.isTraced) logAnswered(ctx.log, inbound, wanted?.route, answer.status, since, who)
    done(answer)
  }
  const fail = (thrown: unknown) =>
    end(refusal(ctx, thrown, wanted?.route.operation ?? inbound.path, inbound.codec, inbound.requestId))
  const failLater = (thrown: unknown) => {
    resume()
    fail(thrown)
  }
  const handle = (found: Found, actor: Actor | null) => {
    slot = activity.begin(inbound.bytes)
    wanted ??= overridden(found, inbound, actor)
    const { route, reader } = wanted
    slot = activity.name(slot, route.operation)
    admit(route, actor)
    const { params, ignored } = reader.read(inbound.parameters(), found.values)
    route.handle(new OperationCall(scope.of(inbound, route, actor), actor, params, inbound) as never).then(fields => {
      resume()
      try {
        end(success(fields, ignored, inbound.codec))
      } catch (thrown) {
        fail(thrown)
      }
    }, failLater)
  }
  let found: Found
  try {
    found = router.find(inbound.path)
    if (!inbound.mayOverrideMethod) wanted = operationOf(found, inbound.method === 'HEAD' ? 'GET' : inbound.method)
  } catch (thrown) {
    fail(strayed(inbound, thrown))
    return
  }
  const attempt = (actor: Actor | null) => {
    who = actor
    try {
      inbound.charge(actor)
      large.start(inbound.bytes, end => {
        ended = end
        resume()
        try {
          handle(found, actor)
        } catch (thrown) {
          fail(thrown)
        }
        pause()
      })
    } catch (thrown) {
      fail(thrown)
    }
    pause()
  }
  try {
    const isOpen = wanted ? wanted.route.allow === 'anyone' : found.isOpen
    const identity = isOpen ? null : inbound.authenticate()
    if (!(identity instanceof Promise)) {
      attempt(identity)
      return
    }
    pause()
    identity.then(actor => {
      resume()
      attempt(actor)
    }, failLater)
  } catch (thrown) {
    fail(thrown)
  }
}

/**
 * For a caller without an account, does not parse the body if every operation of the path requires one. @throws {ApiError} UNAUTHORIZED,
 * METHOD_NOT_ALLOWED
 */
function overridden(found: Found, inbound: Inbound, actor: Actor | null): Operation {
  if (!actor && found.isForAccounts) throw notLoggedIn()
  inbound.overrideMethod()
  return operationOf(found, inbound.method === 'HEAD' ? 'GET' : inbound.method)
}

/** Counts a 404 or 405 against the client's network: the caller is not authenticated yet. Returns the error to answer with. */
function strayed(inbound: Inbound, thrown: unknown): unknown {
  try {
    inbound.charge(null)
    return thrown
  } catch (limit) {
    return limit
  }
}

function admit(route: Route, actor: Actor | null): void {
  if (actor && !isOpenTo(actor.user, route)) {
    throw new ApiError('UNAUTHORIZED', 'This API is not available to incoming webhook bots.')
  }
  if (typeof route.allow !== 'function') return
  if (!actor) throw notLoggedIn()
  route.allow(actor)
}

const notLoggedIn = () => new ApiError('UNAUTHORIZED', 'Not logged in: API authentication is required.')

/** The argument of a route's `handle`. */
class OperationCall {
  constructor(
    readonly ctx: Ctx,
    readonly actor: Actor | null,
    readonly params: Record<string, unknown>,
    private readonly inbound: Inbound,
  ) {}

  get signal(): RequestSignal {
    return this.inbound.signal
  }

  get client(): string {
    return this.inbound.client
  }

  get address(): string {
    return this.inbound.address
  }
}
