import type { Tx } from './db.js'

/** The snapshot that the transaction sees from this statement on, and the organization's version in it. */
export async function readSnapshot(tx: Tx): Promise<{ snapshot: string; version: number }> {
  const [row] = await tx<{ snapshot: string; version: number }[]>`
    select pg_current_snapshot()::text as snapshot, version from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
