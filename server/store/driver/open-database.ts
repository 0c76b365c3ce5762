import postgres from 'postgres'
import { budgets } from '../../config/budgets.js'
import type { DatabaseCounts } from './database-counts.js'
import type { Sql } from './db.js'
import { withGuardedTransactions } from './transactions.js'
import { watchedSockets } from './watched-sockets.js'

// Longest pause between reconnects: the driver's own pauses grow to 20 s, and requests would wait for them after an outage.
const longestPauseSeconds = 0.5
// PostgreSQL ends a transaction after this idle time, so that a worker without network does not keep its locks. Normally only
// milliseconds pass between two statements of a transaction.
const idleInTransactionMs = 15_000

/** `socket`: a Unix socket to use instead of the host and port of the address. */
export interface DatabaseAddress {
  readonly url: string
  readonly socket?: string
}

/** The kind of statements of a pool, which decides their time limit. `job`: work on the whole organization, without a limit. */
export type StatementKind = 'request' | 'search' | 'message' | 'job'

// In ms; 0: no limit.
const statementTimeouts: Readonly<Record<StatementKind, number>> = {
  request: budgets.requestStatement.most,
  search: budgets.searchStatement.most,
  message: budgets.messageStatement.most,
  job: 0,
}

interface PoolOptions {
  /** Default: `job`. */
  readonly kind?: StatementKind
  /** Milliseconds after which a connection without an answer to its statement is closed; default: no limit. */
  readonly silenceMs?: number
  /** Gets the connections of the pool, if `silenceMs` is set. */
  readonly counts?: DatabaseCounts
}

/** Opens a pool on one schema. All bigints of this schema are below 2^53 and are returned as numbers. */
export function openDatabase(
  at: string | DatabaseAddress,
  schema: string,
  connections: number,
  { kind = 'job', silenceMs, counts }: PoolOptions = {},
): Sql {
  const { url, socket = undefined } = typeof at === 'string' ? { url: at } : at
  const sql: Sql = postgres(url, {
    ...(socket === undefined ? {} : { path: socket }),
    max: connections,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: attempt => Math.min(0.02 * 2 ** attempt, longestPauseSeconds),
    connection: {
      application_name: 'parley',
      search_path: schema,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      statement_timeout: statementTimeouts[kind],
      lock_timeout: kind === 'job' ? 0 : budgets.lockWait.most,
      // The statements are short; with estimates from old statistics PostgreSQL would compile some, which costs more than it saves.
      jit: 'off',
      // In seconds. A connection that the network drops during a statement is not idle in a transaction; it would keep its locks until
      // the kernel probes it, by default after 2 h. PostgreSQL ignores these settings on a Unix socket.
      tcp_keepalives_idle: 15,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
    },
    ...(silenceMs === undefined ? {} : { socket: watchedSockets(silenceMs, counts?.connections) }),
    onnotice: () => {},
    types: {
      bigint: { to: 20, from: [20], serialize: (n: number) => String(n), parse: (text: string) => Number(text) },
    },
  })
  return withGuardedTransactions(sql)
}

/**
 * Connects, and lets the driver read the array types once for the pool. Otherwise the driver reads them on each new connection, and
 * if that connection breaks meanwhile, it throws an error that no caller can catch and the process ends.
 */
export async function learnTypes(sql: Sql): Promise<void> {
  await sql`select 1`
  ;(sql.options as { fetch_types: boolean }).fetch_types = false
}
