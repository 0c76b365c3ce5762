import type { ISql } from './db.js'

/**
 * The snapshot that the transaction sees from this statement on, and the organization's version in it; outside a transaction, the snapshot
 * of this statement.
 */
export async function readSnapshot(sql: ISql): Promise<{ snapshot: string; version: number }> {
  const [row] = await sql<{ snapshot: string; version: number }[]>`
    select pg_current_snapshot()::text as snapshot, version from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
