import type { Log } from '../log.js'
import { pruneAuditLog } from './audit-log.js'
import type { Sql } from './db.js'

// What is a day too old may stay some minutes longer.
const gapMs = 600_000
const dayMs = 86_400_000

/** Deletes what is older than so many days from the audit log, a batch at a time; returns how to stop it. 0 days: nothing. */
export function keepAuditLog(sql: Sql, days: number, log: Log, now: () => number): () => void {
  if (days === 0) return () => undefined
  const prune = async () => {
    try {
      while ((await pruneAuditLog(sql, new Date(now() - days * dayMs))) > 0);
    } catch (error) {
      // The next time is soon enough.
      log.debug({ error: String(error) }, 'the audit log was not pruned')
    }
  }
  const timer = setInterval(prune, gapMs)
  void prune()
  return () => clearInterval(timer)
}
