// How the client and Redis itself say so. The client has no codes for what it refuses by itself.
const patterns = [
  /^Stream isn't writeable/,
  /^Connection is closed/,
  /^Command timed out/,
  /^Socket timeout/,
  /^Reached the max retries per request limit/,
  // Starting, or being replaced.
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS)\b/,
  // It cannot write its file, has no memory left, or a script holds it up.
  /^(MISCONF|OOM|BUSY)\b/,
  /^(Cluster isn't ready|None of startup nodes is available|Failed to refresh slots cache|Cluster is ended|Too many Cluster redirections)/,
]
const codes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether an error of the Redis client only says that Redis cannot be used, or not be written to, at the moment. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // The Unix socket of a Redis that is being started again.
  if (code === 'ENOENT' && syscall === 'connect') return true
  // A function passes on what its commands were refused with, after words of its own.
  const message = error.message.replace(/^ERR Error running script[^-]*-?/, '')
  return (typeof code === 'string' && codes.has(code)) || patterns.some(pattern => pattern.test(message))
}
