import type { Route } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import type { Log, Trace } from '../log.js'

/** The fields that identify a request in the log. */
export interface Named {
  readonly requestId: string
  /** The client address. */
  readonly address: string
}

/** Creates the contexts of requests. */
export interface RequestScopes {
  /** Whether each request and its answer are logged. */
  readonly isTraced: boolean
  of(named: Named, route: Route, actor: Actor | null): Ctx
}

/**
 * Gives each request its own context: the server's context with a log that adds the request id, and a trace of the events that the request
 * publishes. It is one small object whose prototype is the server's context; its parts are created at first use.
 */
export function requestScopes(ctx: Ctx): RequestScopes {
  const isTraced = ctx.log.isLevelEnabled('debug')

  class Scope {
    #log: Log | undefined
    #trace: Trace | undefined

    constructor(
      private readonly named: Named,
      private readonly route: Route,
      private readonly actor: Actor | null,
    ) {}

    get log(): Log {
      this.#log ??= ctx.log.child({ requestId: this.named.requestId })
      return this.#log
    }

    get trace(): Trace | undefined {
      if (!isTraced && !this.route.isAdministrative) return undefined
      this.#trace ??= { published: events => this.#logPublished(events) }
      return this.#trace
    }

    get write(): Ctx['write'] {
      const { named, route, actor } = this
      const { requestId, address } = named
      const origin = { userId: actor?.user.id ?? null, operation: route.operation, requestId, address }
      return (work, trace = this.trace) => ctx.write(work, trace, origin)
    }

    #logPublished(events: readonly number[]): void {
      const { operation, isAdministrative } = this.route
      const level = isAdministrative ? 'info' : 'debug'
      this.log[level]({ operation, user: this.actor?.user.id, events }, 'published')
    }
  }
  // The cast below: the compiler does not see what the prototype adds.
  Object.setPrototypeOf(Scope.prototype, ctx)
  return { isTraced, of: (named, route, actor) => new Scope(named, route, actor) as unknown as Ctx }
}

/** One log line per request, without parameters. Logs the route's pattern instead of the path, whose text a client chose. */
export function logAnswered(
  log: Log,
  { requestId, method }: Named & { readonly method: string },
  route: Route | undefined,
  status: number,
  since: number,
  actor: Actor | null,
): void {
  const ms = Number((performance.now() - since).toFixed(3))
  log.debug({ requestId, method, route: route?.path, status, ms, user: actor?.user.id }, 'answered')
}
