import type { ISql } from './db.js'

export interface StoredSnapshot {
  snapshot: string
  /** The organization's version in it. */
  version: number
  /** The version of lists of channels in it (channel-lists.ts). */
  lists_version: number
}

/** The snapshot of this statement. */
export async function readSnapshot(sql: ISql): Promise<StoredSnapshot> {
  const [row] = await sql<StoredSnapshot[]>`select ${snapshotColumns(sql)} from ${snapshotTables(sql)}`
  if (!row) throw new Error('the schema has no organization row')
  return row
}

/** The columns of `StoredSnapshot`; in a transaction of isolation level repeatable read, of all its statements. */
export const snapshotColumns = (sql: ISql) => sql`
  pg_current_snapshot()::text as snapshot, organization.version, lists_version.version as lists_version`

/** The tables of `snapshotColumns`, with one row. */
export const snapshotTables = (sql: ISql) => sql`organization, lists_version`

/** The oldest transaction that was open in the snapshot: its text begins with it. */
export const oldestOpen = (snapshot: string): number => Number(snapshot.slice(0, snapshot.indexOf(':')))
