import type { Route } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { WorkerCtx } from '../ctx.js'
import type { Log, Trace } from '../log.js'
import type { Sql } from '../store/driver/db.js'
import type { StatementTally } from '../store/driver/statement-tally.js'
import type { MessageWriter } from '../store/sending/message-writer.js'
import { type Named, namedFields } from './answer.js'

/** Creates the contexts of requests. */
export interface RequestScopes {
  /** Whether each request and its answer are logged. */
  readonly isTraced: boolean
  /** @param tally counts the statements of the request */
  of(named: Named, route: Route, actor: Actor | null, tally: StatementTally | undefined): WorkerCtx
  /** Waits for the jobs of a request for which its answer waits; undefined: there are none. */
  settled(scope: WorkerCtx): Promise<unknown> | undefined
}

/**
 * Gives each request its own context: the server's context with a log that adds the request id, and a trace of the events that the request
 * publishes. It is one small object whose prototype is the server's context; its parts are created at first use.
 */
export function requestScopes(ctx: WorkerCtx): RequestScopes {
  const isTraced = ctx.log.isLevelEnabled('debug')

  class Scope {
    private ownLog: Log | undefined
    private ownTrace: Trace | undefined
    private ownSql: Sql | undefined
    private ownAwaited: Promise<void>[] | undefined

    constructor(
      private readonly named: Named,
      private readonly route: Route,
      private readonly actor: Actor | null,
      private readonly tally: StatementTally | undefined,
    ) {}

    get sql(): Sql {
      this.ownSql ??= this.tally?.counting(ctx.sql) ?? ctx.sql
      return this.ownSql
    }

    get searching(): Sql {
      return this.tally?.counting(ctx.searching) ?? ctx.searching
    }

    get messageWriter(): Pick<MessageWriter, 'write'> {
      const { tally } = this
      const { messageWriter } = ctx
      // The statement has the messages of other requests, too.
      return tally ? { write: (...args) => tally.timed(() => messageWriter.write(...args)) } : messageWriter
    }

    get log(): Log {
      this.ownLog ??= ctx.log.child(namedFields(this.named))
      return this.ownLog
    }

    get trace(): Trace | undefined {
      if (!isTraced && !this.route.isAdministrative) return undefined
      this.ownTrace ??= { published: events => this.logPublished(events) }
      return this.ownTrace
    }

    get write(): WorkerCtx['write'] {
      const { named, route, actor, tally } = this
      const { requestId, address } = named
      this.ownAwaited ??= []
      const origin = {
        userId: actor?.user.id ?? null,
        operation: route.operation,
        requestId,
        address,
        awaited: this.ownAwaited,
      }
      return (work, trace = this.trace) => ctx.write(work, trace, origin, tally)
    }

    static settled(scope: Scope): Promise<unknown> | undefined {
      return scope.ownAwaited && scope.ownAwaited.length > 0 ? Promise.all(scope.ownAwaited) : undefined
    }

    private logPublished(events: readonly number[]): void {
      const { operation, isAdministrative } = this.route
      const level = isAdministrative ? 'info' : 'debug'
      this.log[level]({ operation, user: this.actor?.user.id, events }, 'published')
    }
  }
  // The casts below: the compiler does not see what the prototype adds.
  Object.setPrototypeOf(Scope.prototype, ctx)
  return {
    isTraced,
    of: (named, route, actor, tally) => new Scope(named, route, actor, tally) as unknown as WorkerCtx,
    settled: scope => Scope.settled(scope as unknown as Scope),
  }
}

/** One log line per request, without parameters. Logs the route's pattern instead of the path, whose text a client chose. */
export function logAnswered(
  log: Log,
  request: Named & { readonly method: string },
  {
    route,
    status,
    since,
    actor,
  }: {
    readonly route: Route | undefined
    readonly status: number
    readonly since: number
    readonly actor: Actor | null
  },
): void {
  const ms = Number((performance.now() - since).toFixed(3))
  const { method } = request
  log.debug({ ...namedFields(request), method, route: route?.path, status, ms, user: actor?.user.id }, 'answered')
}
