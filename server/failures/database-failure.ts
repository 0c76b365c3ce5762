/**
 * `refused`: the statement had no effect. `broken`: its effect is unknown. `slow`: the statement exceeded its time budget.
 * `locked`: it waited for a lock longer than its budget. After `slow` and `locked` the transaction is rolled back.
 */
export type DatabaseFailure = 'refused' | 'broken' | 'slow' | 'locked'

// There was no connection or PostgreSQL rejected it, so the statement was not sent; or the transaction was rolled back.
const refusals: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  // From a connection that was lost before the statement (pool-socket.ts).
  'ENOTCONN',
  // cannot_connect_now: PostgreSQL is starting or stopping.
  '57P03',
  // too_many_connections
  '53300',
  // disk_full, out_of_memory, read_only_sql_transaction (a standby): the transaction is rolled back.
  '53100',
  '53200',
  '25006',
])
// The connection was lost during a statement.
const breaks: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // admin_shutdown, crash_shutdown, idle_in_transaction_session_timeout
  '57P01',
  '57P02',
  '25P03',
])

/** The kind of failure if the error means that the database is unavailable at the moment; undefined: another error. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return undefined
  // The Unix socket is missing while the embedded PostgreSQL restarts.
  if (code === 'ENOENT' && syscall === 'connect') return 'refused'
  if (refusals.has(code)) return 'refused'
  // 57014: query_canceled, by statement_timeout. 55P03: lock_not_available.
  if (code === '57014') return 'slow'
  if (code === '55P03') return 'locked'
  // Class 08: connection exceptions. Class 58: errors of the operating system.
  return breaks.has(code) || /^(08|58)...$/.test(code) ? 'broken' : undefined
}
