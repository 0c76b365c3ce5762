import { routes } from '../../../server/api/index.js'
import { ApiError } from '../../../shared/errors.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { Recorder } from '../../openapi/examples/recorder.js'
import { routeOf } from '../../support/conformance.js'
import type { Answer, Params } from '../../support/http.js'
import { allStatementsOf, answered } from '../../support/queries.js'
import { until } from '../../support/redis-node.js'
import type { startServer } from '../../support/server.js'

type Server = Awaited<ReturnType<typeof startServer>>
/** Statements by what made them. */
export type Counted = ReadonlyMap<string, readonly string[]>

// Requests that may be repeated at once, so that the first one fills what the worker remembers.
const repeatable = new Set(['register', ...routes.filter(({ method }) => method === 'GET').map(one => one.operation)])
const mostRuns = 12

/** Counts the statements of each recorded request, and keeps those of the cheapest one of each operation: an earlier one filled a cache. */
export class StatementCounter extends Recorder {
  private counted = new Map<string, readonly string[]>()
  /** The newest mark among the events that the worker received, and what waits for the next one. */
  private mark = 0
  private marked = () => {}

  constructor(private readonly server: Server) {
    super()
    server.ctx.realtime.onEntry(({ payload }) => {
      if (isMark(payload, this.mark)) this.marked()
    })
  }

  override async record(method: string, path: string, params: Params, send: () => Promise<Answer>): Promise<Answer> {
    const route = routeOf(method, path)
    if (route instanceof ApiError) throw route
    if (repeatable.has(route.operation)) await send()
    return this.count(route.operation, () => super.record(method, path, params, send))
  }

  /** Counts the statements of `work` and of what the worker does because of it at once: it refreshes what it remembers, for example. */
  async count<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.refreshed()
    let answer: Promise<T> | undefined
    const statements = await allStatementsOf(this.server, async statements => {
      answer = work()
      await answer
      await this.refreshed()
      // Without a statement the request has changed nothing.
      while (statements.length > 0 && (await this.goesOn(statements)));
    })
    const before = this.counted.get(name)
    if (!before || statements.length < before.length) this.counted.set(name, statements)
    return answer as Promise<T>
  }

  /** Runs `work` at least three times, until two consecutive runs have agreed about each name. The first one fills what the worker remembers. */
  async steady(work: (run: number) => Promise<unknown>): Promise<Counted> {
    const steady = new Map<string, readonly string[]>()
    let before = new Map<string, readonly string[]>()
    for (let run = 0; run < mostRuns; run++) {
      this.counted = new Map()
      await work(run)
      for (const [name, statements] of this.counted) {
        if (before.get(name)?.length === statements.length) steady.set(name, statements)
      }
      if (run > 0) before = this.counted
      if (steady.size > 0 && steady.size === this.counted.size) return steady
    }
    const [name] = [...this.counted.keys()].filter(one => !steady.has(one))
    throw new Error(`${name} made other statements each time, at last:\n${this.counted.get(name ?? '')?.join('\n')}`)
  }

  /** Resolves when the worker has received all events, refreshed its directory, and knows who has devices for pushes. */
  private async refreshed(): Promise<void> {
    const { directory, memory } = this.server.ctx
    await this.caughtUp()
    await directory.fresh()
    // Until that is known, each account counts as one that may have some, even one that does not exist.
    await until(() => !memory.pushAccounts.mayHaveDevices(0))
  }

  /** Whether something that follows from a request still goes on: a statement, or a transaction. */
  private async goesOn(statements: readonly string[]): Promise<boolean> {
    const known = statements.length
    await answered(this.server)
    const inTransaction = await this.server.sql`
      select from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and query not like '%is_periodic for update'`
    // An answer may have led to a further statement.
    await this.refreshed()
    return inTransaction.length > 0 || statements.length > known || hasOpenTransaction(statements)
  }

  /** Resolves when the worker has received the events that are published. */
  private async caughtUp(): Promise<void> {
    this.mark--
    await new Promise<void>(resolve => {
      this.marked = resolve
      this.server.ctx.realtime.announce([
        { def: defaultStreams, payload: { default_streams: [this.mark] }, audience: [0] },
      ])
    })
  }
}

// No channel has such an id.
const isMark = (payload: { default_streams?: readonly number[] }, mark: number) => payload.default_streams?.[0] === mark

function hasOpenTransaction(statements: readonly string[]): boolean {
  const count = (pattern: RegExp) => statements.filter(text => pattern.test(text)).length
  return count(/^begin\b/i) > count(/^(?:commit|rollback(?! to))\b/i)
}
