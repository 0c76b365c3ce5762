import { asJson } from '../driver/as-json.js'
import type { ISql, Tx } from '../driver/db.js'

/** Where the next part of an archive begins. */
export type Place = Readonly<Record<string, unknown>>

/** A part of an archive: `head`, then the bytes of a file. */
export interface ExportPart {
  readonly number: number
  readonly head: Uint8Array
  /** In the store of files; null: it has none. */
  readonly key: string | null
  /** Bytes of that file. */
  readonly size: number
  readonly next: Place
}

/** The parts that are stored, in their order. */
export function readParts(sql: ISql, exportId: number): Promise<ExportPart[]> {
  return sql<ExportPart[]>`
    select number, head, key, size, next from export_parts where export_id = ${exportId} order by number`
}

/** The last part that is stored. */
export async function lastPart(sql: ISql, exportId: number): Promise<ExportPart | undefined> {
  const [row] = await sql<ExportPart[]>`
    select number, head, key, size, next from export_parts where export_id = ${exportId} order by number desc limit 1`
  return row
}

/** False: another worker has stored this part, or the export has ended. */
export async function insertPart(tx: Tx, exportId: number, part: ExportPart, percent: number): Promise<boolean> {
  const { count } = await tx`update exports set percent = ${percent} where id = ${exportId} and state = 'pending'`
  if (count === 0) return false
  const inserted = await tx`
    insert into export_parts (export_id, number, head, key, size, next)
    values (${exportId}, ${part.number}, ${Buffer.from(part.head)}, ${part.key}, ${part.size}, ${asJson(tx, part.next)})
    on conflict do nothing`
  return inserted.count > 0
}

/** Returns the keys of the files that no row names any more. */
export async function deleteParts(tx: Tx, exportId: number): Promise<string[]> {
  const rows = await tx<{ key: string | null }[]>`
    delete from export_parts where export_id = ${exportId} returning key`
  return rows.flatMap(row => row.key ?? [])
}
