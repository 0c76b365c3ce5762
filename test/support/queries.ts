import type { Sql, Tx } from '../../server/store/driver/db.js'

// Statements of the driver on new connections, and those that a worker makes by time and not for each request: reading the outbox, asking for the version of the directory (store/driver/directory-lease.ts), looking for the newest settled message
// (memory/settled-ids.ts), those of `answered`, and all statements on jobs except the one with which a change adds some (store/jobs/consequences.ts) and the list of invitations.
const byTime =
  /^select 1 as answered|pg_catalog\.pg_type|^\s*(?:select|delete)\b[^(]*\bfrom outbox\b|directory refresh|from messages_id_seq|pg_snapshot_xmax|^(?![\s\S]*(?:insert into jobs \(kind, key|from invitations))[\s\S]*\bjobs\b/i

const brackets = /^(?:begin|commit|rollback|savepoint|release)\b/i

// Concurrent statements of the server do not occur at the same point of several runs.
const mostRuns = 20

// The transaction that decides who is notified (actions/notify/decide.ts) begins so. A standing job makes it, at any time.
const decides = /from notification_progress for update/
const ends = /^(?:commit|rollback(?! to))\b/i

type Seen = (connection: number, text: string) => void

interface Database {
  /** A pool of the test. */
  readonly sql: Sql
  readonly ctx: {
    readonly sql: Sql
    readonly searching: Sql
    readonly messageWriter: { readonly connections: readonly Sql[] }
  }
}

/** The SQL statements that a server sends while `work` runs, in order, without `begin` and `commit`. */
export async function statementsOf(server: Database, work: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(server, work)).filter(text => !brackets.test(text))
}

/** As `statementsOf`, with `begin` and `commit`. `work` gets the list, which grows meanwhile. */
export async function allStatementsOf(
  server: Database,
  work: (statements: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = []
  await watch(
    server,
    () => work(statements),
    (_connection, text) => statements.push(text),
  )
  return statements
}

/** Resolves when PostgreSQL has answered what the server has sent outside of transactions. */
export async function answered(server: Database): Promise<void> {
  // The driver gives each idle connection one statement and then sends the others behind what the busy ones wait for.
  const each = (pool: Sql) => Array.from({ length: pool.options.max }, () => pool`select 1 as answered`)
  await Promise.all(poolsOf(server).flatMap(each))
}

/** How often the server asks for the version of the directory while `work` runs. */
export async function versionQuestionsOf(server: Database, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  await watchAll(server, work, (_connection, text) => {
    if (text.includes('settled_version')) count++
  })
  return count
}

const mark = 'select 1 as mark'

/** As `statementsOf`, but only those of a transaction: the server may run others meanwhile, after its earlier answers. */
export async function statementsIn(server: Database, tx: Tx, work: () => Promise<unknown>): Promise<string[]> {
  const all: { connection: number; text: string }[] = []
  const marked = () => tx.unsafe(mark).then(work)
  await watch(server, marked, (connection, text) => all.push({ connection, text }))
  const own = all.find(({ text }) => text === mark)?.connection
  const texts = all.filter(({ connection }) => connection === own).map(({ text }) => text)
  return texts.filter(text => text !== mark && !brackets.test(text))
}

function watch(server: Database, work: () => Promise<unknown>, seen: Seen): Promise<void> {
  let isCounting = false
  const count = withoutDeciding((connection, text) => {
    if (isCounting && !byTime.test(text)) seen(connection, text.replace(/\s+/g, ' ').trim())
  })
  const counted = async () => {
    // It ends when transactions that decide, and whose beginning was not seen, have ended.
    await server.sql`select from notification_progress for update`
    isCounting = true
    await work()
  }
  return watchAll(server, counted, count)
}

/** Leaves out transactions that decide who is notified. */
function withoutDeciding(seen: Seen): Seen {
  // The `begin` of a connection whose next statement is unknown.
  const begun = new Map<number, string>()
  const shown = new Set<number>()
  const deciding = new Set<number>()
  return (connection, text) => {
    const begin = begun.get(connection)
    begun.delete(connection)
    if (begin !== undefined && !decides.test(text)) {
      shown.add(connection)
      seen(connection, begin)
    }
    if (decides.test(text) && !shown.has(connection)) deciding.add(connection)
    const isLeftOut = deciding.has(connection)
    if (ends.test(text)) {
      shown.delete(connection)
      deciding.delete(connection)
    }
    if (isLeftOut) return
    if (/^begin\b/i.test(text)) begun.set(connection, text)
    else seen(connection, text)
  }
}

async function watchAll(server: Database, work: () => Promise<unknown>, seen: Seen): Promise<void> {
  const watched = poolsOf(server).map(({ options }) => options as unknown as { debug: unknown })
  if (watched.some(({ debug }) => debug)) throw new Error('another count of statements is running')
  await server.sql.begin(async tx => {
    // No periodic job begins meanwhile, because a claim leaves out locked rows.
    await tx`select from jobs where is_periodic for update`
    for (const options of watched) options.debug = seen
    try {
      await work()
    } finally {
      for (const options of watched) options.debug = false
    }
  })
}

/**
 * The number of SQL statements of an operation with warm caches: it runs until two consecutive runs make the same
 * statements, so that periodic statements do not count. Only for repeatable operations.
 */
export async function queriesOf(server: Database, operation: () => Promise<unknown>): Promise<number> {
  await operation()
  let before: string | undefined
  for (let run = 1; run <= mostRuns; run++) {
    const statements = await statementsOf(server, operation)
    // Sorted, because concurrent statements come in any order.
    const now = statements.sort().join('\n')
    if (now === before) return statements.length
    before = now
  }
  throw new Error(`an operation made other statements each time, at last:\n${before}`)
}

function poolsOf({ ctx }: Database): Sql[] {
  return [ctx.sql, ctx.searching, ...ctx.messageWriter.connections]
}
