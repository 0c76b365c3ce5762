import type { Log } from '../log.js'
import { DatabaseCounts } from './database-counts.js'
import type { Sql } from './db.js'
import type { Directory } from './directory.js'

// Events tell of changes at once. This is for a worker that cannot hear them, or could not read the database just then: a key
// that was revoked is refused by it, too, within about this time. One row is read.
const gapMs = 1000

/** Keeps what a worker remembers of the organization up to date, whatever becomes of the events; returns how to stop it. */
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
      counts.heardAt = performance.now()
      counts.roundTrip.observe((counts.heardAt - askedAt) / 1000)
      counts.isFailing = false
      if (row && row.version !== directory.version) await directory.fresh()
      if (isAway) log.info('PostgreSQL is back')
      isAway = false
    } catch (error) {
      counts.isFailing = true
      // One line for each outage, as for Redis.
      if (!isAway) log.warn({ error: String(error) }, 'PostgreSQL is away')
      isAway = true
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(look, gapMs)
  return () => clearInterval(timer)
}
