import type { Tx } from '../driver/db.js'
import type { ExportScope } from './export-scope.js'

/** What the rows of a table depend on. */
export interface TableScope extends ExportScope {
  /** The ids of groups that hold the permissions of a channel without a value of its own, by the name of the setting. */
  readonly channelDefaults: Readonly<Record<string, unknown>>
}

/** A statement that returns a row of the archive as JSON text in each row. */
export type TableQuery = { cursor(rows: number): AsyncIterable<readonly { text: string }[]> }

/** The tables of `realm.json` that PostgreSQL makes by itself; `zerver_` precedes their names. */
export type Tables = Readonly<Record<string, (tx: Tx, scope: TableScope) => TableQuery>>
