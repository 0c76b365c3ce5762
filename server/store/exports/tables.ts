import type { Sql, Tx } from '../driver/db.js'
import { inSnapshot } from '../transfer/read-lines.js'
import type { TableScope, Tables } from './table.js'
import { channelTables, messageTables } from './tables/channels.js'
import { organizationTables } from './tables/organization.js'
import { ownTables } from './tables/own-things.js'
import { personTables } from './tables/person.js'

const organizationWide: Tables = { ...channelTables, ...organizationTables, ...ownTables, ...messageTables }

// Rows per batch.
const together = 500

/** A batch of rows of a table, as JSON texts. Each table has one batch at least. */
export interface TableBatch {
  readonly table: string
  readonly rows: readonly string[]
}

/** Runs `work` with the rows of all tables in one snapshot; a batch is read when the work has taken the one before. Other transactions do not wait for it. */
export const inTables = <T>(
  sql: Sql,
  scope: TableScope,
  work: (batches: AsyncIterable<TableBatch>) => Promise<T>,
): Promise<T> =>
  inSnapshot(sql, async tx => {
    // The store of files may take the rows slowly.
    await tx`set local statement_timeout = 0`
    return work(batches(tx, scope))
  })

async function* batches(tx: Tx, scope: TableScope): AsyncGenerator<TableBatch> {
  for (const [name, query] of Object.entries(scope.person ? personTables : organizationWide)) {
    const table = `zerver_${name}`
    yield { table, rows: [] }
    for await (const rows of query(tx, scope).cursor(together)) yield { table, rows: rows.map(row => row.text) }
  }
}
