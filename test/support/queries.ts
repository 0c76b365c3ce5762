import type { Sql } from '../../server/store/db.js'

// The driver's own, on each new connection; what brackets a transaction; and what a worker does at its own pace.
const uncounted =
  /^\s*(?:begin|commit|rollback|savepoint|release)\b|pg_catalog\.pg_type|^\s*(?:select|delete)\b[^(]*\bfrom outbox\b|keep fresh/i

// Whatever else happens beside an operation does not happen at the same point of three runs in a row.
const mostRuns = 20

interface Database {
  readonly ctx: {
    readonly sql: Sql
    readonly searching: Sql
    readonly messageWriter: { readonly connections: readonly Sql[] }
  }
}

/** The SQL statements that a server sends while `work` runs, in order, without `begin` and `commit`. */
export async function statementsOf({ ctx }: Database, work: () => Promise<unknown>): Promise<string[]> {
  const watched = [ctx.sql, ctx.searching, ...ctx.messageWriter.connections].map(
    ({ options }) => options as unknown as { debug: unknown },
  )
  if (watched.some(({ debug }) => debug)) throw new Error('somebody counts statements already')
  const statements: string[] = []
  const count = (_connection: number, text: string) => {
    if (!uncounted.test(text)) statements.push(text.replace(/\s+/g, ' ').trim())
  }
  for (const options of watched) options.debug = count
  try {
    await work()
  } finally {
    for (const options of watched) options.debug = false
  }
  return statements
}

/**
 * How many SQL statements an operation makes once the caches are warm: it is run until two runs in a row made the same
 * statements, so what a worker does besides is not counted. For operations that can be repeated.
 */
export async function queriesOf(server: Database, operation: () => Promise<unknown>): Promise<number> {
  await operation()
  let before: string | undefined
  for (let run = 1; run <= mostRuns; run++) {
    const statements = await statementsOf(server, operation)
    // Sorted: those that are sent together come in any order.
    const now = statements.sort().join('\n')
    if (now === before) return statements.length
    before = now
  }
  throw new Error(`an operation made other statements each time, at last:\n${before}`)
}
