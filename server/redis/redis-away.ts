// Messages of the client and of Redis; the client has no error codes for commands that it rejects itself.
const patterns = [
  /^Stream isn't writeable/,
  /^Connection is closed/,
  /^Command timed out/,
  /^Socket timeout/,
  /^Reached the max retries per request limit/,
  // Redis is starting, or a failover is running.
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS)\b/,
  // Redis cannot write its file, is out of memory, or runs a slow script.
  /^(MISCONF|OOM|BUSY)\b/,
  /^(Cluster isn't ready|None of startup nodes is available|Failed to refresh slots cache|Cluster is ended|Too many Cluster redirections)/,
]
const codes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether an error of the Redis client means that Redis is unavailable or read-only at the moment. */
export function isRedisAway(error: unknown): boolean {
  // The driver of PostgreSQL adds the statement to its errors, which have the same codes.
  if (!(error instanceof Error) || 'query' in error) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // The Unix socket is missing while the embedded Redis restarts.
  if (code === 'ENOENT' && syscall === 'connect') return true
  // An error inside a Function has a prefix before the error of the command.
  const message = error.message.replace(/^ERR Error running script[^-]*-?/, '')
  return (typeof code === 'string' && codes.has(code)) || patterns.some(pattern => pattern.test(message))
}
