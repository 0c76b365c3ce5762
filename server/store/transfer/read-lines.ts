import type { Sql, Tx } from '../driver/db.js'
import { columnsOf, type LineType } from './line-type.js'

// Lines per batch. A message takes 1 to 2 kB, with the largest edit history some MB.
const linesTogether = 100

/**
 * Runs `work` in a read-only transaction with one snapshot, without a time limit; other transactions do not wait for it.
 */
export async function inSnapshot<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', async tx => {
    // The receiver of the lines may be slow.
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`set local timezone = 'UTC'`
    return await work(tx)
  })) as T
}

/** The lines of one kind in batches; a batch is read when the caller has taken the previous one. */
export async function* readLines(tx: Tx, type: LineType, withSecrets: boolean): AsyncGenerator<readonly string[]> {
  const nested = Object.entries(type.nested).map(([name, expression]) => `${expression} as ${name}`)
  const fields = [`'${type.line}' as line`, ...columnsOf(type, withSecrets), ...nested]
  const query = `
    select row_to_json(given)::text as text
    from (select ${fields.join(', ')} from ${type.table} order by ${type.order}) given`
  for await (const rows of tx.unsafe<{ text: string }[]>(query).cursor(linesTogether)) yield rows.map(row => row.text)
}

/** The organization's id, and the number of its messages. */
export async function readSize(tx: Tx): Promise<{ uuid: string; messages: number }> {
  const [row] = await tx<{ uuid: string; messages: number }[]>`
    select uuid, (select count(*) from messages)::int8 as messages from organization`
  if (!row) throw new Error('the schema has no organization row')
  return row
}
