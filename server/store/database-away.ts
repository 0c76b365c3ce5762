/**
 * `refused`: nothing was begun. `broken`: how far it came is not known. `slow`, `locked`: the statement took longer, or waited longer for
 * what another one changes, than its budget; its transaction is undone.
 */
export type DatabaseFailure = 'refused' | 'broken' | 'slow' | 'locked'

// No connection came about, or the server said that it takes none: a statement has not even been sent.
const refusals = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  // Of a connection that was lost before (pool-socket.ts).
  'ENOTCONN',
  // cannot_connect_now: it starts or stops.
  '57P03',
  // too_many_connections
  '53300',
  // disk_full, out_of_memory, and a server that only reads: the transaction is rolled back.
  '53100',
  '53200',
  '25006',
])
// The connection went while something was under way.
const breaks = new Set([
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

/** Whether an error of the store only says that the database cannot be used at the moment; undefined: it means something else. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return undefined
  // The Unix socket of a database that is being started again.
  if (code === 'ENOENT' && syscall === 'connect') return 'refused'
  if (refusals.has(code)) return 'refused'
  // query_canceled: by statement_timeout; lock_not_available.
  if (code === '57014') return 'slow'
  if (code === '55P03') return 'locked'
  // 08: connection exceptions; 58: the system below the database failed.
  return breaks.has(code) || /^(08|58)...$/.test(code) ? 'broken' : undefined
}
