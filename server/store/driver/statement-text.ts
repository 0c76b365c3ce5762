import type { ISql } from './db.js'

// The only file that calls the driver's `unsafe`; everything else writes statements with the template tags of the driver or of fragment.ts.

interface TextOptions {
  /** Keeps the statement prepared, which saves planning it; only for few different texts, because driver and database keep one for each. */
  readonly prepare?: boolean
}

/** Runs a statement whose text is a constant of the program or made from fragments; `$1` and so on stand for the values. */
export async function runText<Row extends object>(
  sql: ISql,
  text: string,
  values: readonly unknown[],
  { prepare = false }: TextOptions = {},
): Promise<Row[]> {
  // The casts: the driver's types know neither the parameters nor the columns of a text.
  return (await sql.unsafe(text, values as never[], { prepare })) as unknown as Row[]
}

/** As `runText` with `prepare`; each row is an array of its columns. */
export async function rowsOfText(sql: ISql, text: string, values: readonly unknown[]): Promise<unknown[][]> {
  return await sql.unsafe(text, values as never[], { prepare: true }).values()
}

/** Runs statements without values: files of migrations, and texts that PostgreSQL has made (`pg_get_indexdef`). */
export async function runScript(sql: ISql, text: string): Promise<void> {
  await sql.unsafe(text)
}
