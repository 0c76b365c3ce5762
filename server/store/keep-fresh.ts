import type { Log } from '../log.js'
import { DatabaseCounts } from './database-counts.js'
import type { Sql } from './db.js'
import type { Directory } from './directory.js'

// Interval of a query that reads one row. Normally events cause the refresh at once; this query covers a worker that gets no events
// or could not read the database at that moment: it, too, rejects a revoked key within about this time.
const gapMs = 1000

/** Refreshes a worker's directory even without events; returns a function that stops it. */
export function keepFresh(
  sql: Sql,
  directory: Pick<Directory, 'fresh' | 'version'>,
  log: Log,
  counts = new DatabaseCounts(),
): () => void {
  let isAway = false
  let isAsking = false
  const look = async () => {
    if (isAsking) return
    isAsking = true
    const askedAt = performance.now()
    try {
      const [row] = await sql<{ version: number }[]>`select version from organization -- keep fresh`
      counts.answeredAt = performance.now()
      counts.roundTrip.observe((counts.answeredAt - askedAt) / 1000)
      counts.isFailing = false
      if (row && row.version !== directory.version) await directory.fresh()
      if (isAway) log.info('PostgreSQL is back')
      isAway = false
    } catch (error) {
      counts.isFailing = true
      // One log line for each outage, as for Redis.
      if (!isAway) log.warn({ error: String(error) }, 'PostgreSQL is away')
      isAway = true
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(look, gapMs)
  return () => clearInterval(timer)
}
