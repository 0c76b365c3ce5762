import type { ISql, Part, Query } from './db.js'
import { type StoredSnapshot, snapshotColumns, snapshotTables } from './snapshot.js'

/** The id of a user as a value, or an expression for it. */
export type UserId = number | Part

/** A select for the answer to one user. Its rows become JSON, so a date or an array of ranges has to be selected as a number or as text. */
export type Select<Row extends object = object> = (sql: ISql, userId: UserId) => Query<Row>

/** The rows of selects that ran in one statement. */
export class SelectedRows {
  constructor(private readonly rows: ReadonlyMap<Select, readonly object[]>) {}

  /** In the order of the select. @throws if it was not among them. */
  of<Row extends object>(select: Select<Row>): readonly Row[] {
    const rows = this.rows.get(select)
    if (!rows) throw new Error(`the statement did not contain the select ${select.name}`)
    return rows as readonly Row[]
  }
}

// PostgreSQL prepares each select of a statement for its execution, also those that do not run: that costs more than one or two of them.
const mostAlone = 2

/**
 * The snapshot and the rows of the wanted selects, in one statement. Its text contains all selects, unless only `mostAlone` are wanted, so that PostgreSQL has
 * to keep only few statements prepared; those that are not wanted do not run.
 */
export async function readTogether(
  sql: ISql,
  userId: number,
  { all, wanted }: { readonly all: readonly Select[]; readonly wanted: ReadonlySet<Select> },
): Promise<{ stored: StoredSnapshot; rows: SelectedRows }> {
  // In selects of their own, because PostgreSQL would otherwise plan this long statement again for each user and each choice of selects:
  // planning takes several times as long as running.
  const user = sql`(select ${userId}::int)`
  const selects = wanted.size > mostAlone ? all : all.filter(select => wanted.has(select))
  const lists = selects.map(
    (select, i) => sql`,
      (case when (select ${wanted.has(select)}::boolean) then (select json_agg(listed) from (${select(sql, user) as Query<object> as Part}) listed) end)
        as ${sql(columnName(i))}`,
  )
  const [row] = await sql<(StoredSnapshot & Record<string, unknown>)[]>`
    select ${[snapshotColumns(sql), ...lists]} from ${snapshotTables(sql)}`
  if (!row) throw new Error('the schema has no organization row')
  const rows = new Map(
    selects.flatMap((select, i) =>
      // An aggregate over no rows is null.
      wanted.has(select) ? [[select, (row[columnName(i)] ?? []) as object[]] as const] : [],
    ),
  )
  return { stored: row, rows: new SelectedRows(rows) }
}

const columnName = (index: number): string => `list_${index}`
