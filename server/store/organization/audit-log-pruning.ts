import type { Log } from '../../log.js'
import type { Sql } from '../driver/db.js'
import { pruneAuditLog } from './audit-log.js'

// Interval of the deletion: old entries may stay some minutes longer.
const intervalMs = 600_000
const dayMs = 86_400_000

/** Deletes audit log entries older than `days`, in batches; 0: never. Returns a function that stops it. */
export function startAuditLogPruning(sql: Sql, days: number, log: Log, now: () => number): () => void {
  if (days === 0) return () => undefined
  const prune = async () => {
    try {
      while ((await pruneAuditLog(sql, new Date(now() - days * dayMs))) > 0);
    } catch (error) {
      // The next interval retries.
      log.debug({ error: String(error) }, 'the audit log was not pruned')
    }
  }
  const timer = setInterval(prune, intervalMs)
  void prune()
  return () => clearInterval(timer)
}
