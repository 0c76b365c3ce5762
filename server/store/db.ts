import postgres from 'postgres'
import { budgets } from '../budgets.js'
import type { DatabaseCounts } from './database-counts.js'
import { withGuardedTransactions } from './transactions.js'
import { watchedSockets } from './watched-sockets.js'

/** A pool of connections. */
export type Sql = postgres.Sql<{ bigint: number }>
/** One transaction. */
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** Either: what store functions take, so that they work inside and outside a transaction. */
export type ISql = postgres.ISql<{ bigint: number }>

// After an outage all come back within this time; the driver's own pauses grow to 20 s, and requests would wait for them.
const longestPauseSeconds = 0.5
// A worker that the network has cut off must not keep others from what it holds. Ours think for milliseconds between two
// statements of a transaction.
const idleInTransactionMs = 15_000

/** `socket`: a Unix socket that is taken in place of the host and port of the address. */
export interface DatabaseAddress {
  readonly url: string
  readonly socket?: string
}

/** What statements a pool is for. `job`: work on the whole organization, which takes as long as it takes. */
export type StatementKind = 'request' | 'search' | 'message' | 'job'

// In ms; 0: no limit.
const statementTimeouts: Readonly<Record<StatementKind, number>> = {
  request: budgets.requestStatement.most,
  search: budgets.searchStatement.most,
  message: budgets.messageStatement.most,
  job: 0,
}

export interface PoolOptions {
  /** Default: `job`. */
  readonly kind?: StatementKind
  /** A connection whose statement is not answered for so long is given up; without it one waits as long as it takes. */
  readonly silenceMs?: number
  /** Holds the connections of the pool, if there is a silence that ends them. */
  readonly counts?: DatabaseCounts
}

/** Opens a pool on one schema. All bigints of ours are below 2^53 and come back as numbers. */
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
      // What a network has forgotten in the middle of a statement is not idle, and would keep its locks until the kernel looks, after
      // two hours by default. PostgreSQL ignores these on a Unix socket.
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
 * Connects, and lets the driver ask for the types of arrays once for the pool. It would ask on each new connection, and when
 * that one breaks just then, throw where nobody can catch it: the process would end.
 */
export async function learnTypes(sql: Sql): Promise<void> {
  await sql`select 1`
  ;(sql.options as { fetch_types: boolean }).fetch_types = false
}
