import type { Log } from '../log.js'
import { DatabaseCounts } from '../store/driver/database-counts.js'
import type { Sql } from '../store/driver/db.js'
import { readVersion } from '../store/organization/organization.js'
import type { Directory } from './directory.js'

// Interval of a query that reads one row. Normally an event causes the refresh at once. This query covers a worker that receives no events
// or could not read the database at that moment, so that it, too, rejects a revoked key within about this time.
const intervalMs = 1000

/** Refreshes a worker's directory once a second, and logs outages of PostgreSQL. Returns a function that stops it. */
export function startDirectoryRefresh(
  sql: Sql,
  directory: Pick<Directory, 'fresh' | 'version'>,
  log: Log,
  counts = new DatabaseCounts(),
): () => void {
  let isOutage = false
  let isRunning = false
  const refresh = async () => {
    if (isRunning) return
    isRunning = true
    const startedAt = performance.now()
    try {
      const version = await readVersion(sql)
      counts.answeredAt = performance.now()
      counts.roundTrip.observe((counts.answeredAt - startedAt) / 1000)
      counts.isFailing = false
      if (version !== directory.version) await directory.fresh()
      if (isOutage) log.info('PostgreSQL is back')
      isOutage = false
    } catch (error) {
      counts.isFailing = true
      // One log line for each outage, as for Redis.
      if (!isOutage) log.warn({ error: String(error) }, 'PostgreSQL is away')
      isOutage = true
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(refresh, intervalMs)
  return () => clearInterval(timer)
}
