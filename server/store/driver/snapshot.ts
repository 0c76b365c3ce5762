import type { ISql } from './db.js'

interface StoredSnapshot {
  snapshot: string
  /** The organization's version in it. */
  version: number
  /** The version of lists of channels in it (channel-lists.ts). */
  lists_version: number
}

/** The snapshot that the transaction sees from this statement on; outside a transaction, the snapshot of this statement. */
export async function readSnapshot(sql: ISql): Promise<StoredSnapshot> {
  const [row] = await sql<StoredSnapshot[]>`
    select pg_current_snapshot()::text as snapshot, organization.version, lists_version.version as lists_version
    from organization, lists_version`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
