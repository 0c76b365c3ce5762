import type { Sql, Tx } from '../db.js'
import { columnsOf, type LineType } from './line-type.js'

// A message takes a kilobyte or two, and some megabytes where it was edited as often as possible.
const linesTogether = 100

/**
 * Everything as it is at one moment: `work` reads in a transaction with one snapshot, however long that takes. Nobody waits
 * for it.
 */
export async function inSnapshot<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', async tx => {
    // Whoever takes the lines may be slow.
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`set local timezone = 'UTC'`
    return await work(tx)
  })) as T
}

/** The lines of one kind, piece by piece: the next one is asked for when this one has been taken. */
export async function* readLines(tx: Tx, type: LineType, withSecrets: boolean): AsyncGenerator<readonly string[]> {
  const nested = Object.entries(type.nested).map(([name, expression]) => `${expression} as ${name}`)
  const fields = [`'${type.line}' as line`, ...columnsOf(type, withSecrets), ...nested]
  const query = `
    select row_to_json(given)::text as text
    from (select ${fields.join(', ')} from ${type.table} order by ${type.order}) given`
  for await (const rows of tx.unsafe<{ text: string }[]>(query).cursor(linesTogether)) yield rows.map(row => row.text)
}

/** How many messages there are, and which organization it is. */
export async function readSize(tx: Tx): Promise<{ uuid: string; messages: number }> {
  const [row] = await tx<{ uuid: string; messages: number }[]>`
    select uuid, (select count(*) from messages)::int8 as messages from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
