import { createHash } from 'node:crypto'
import type { Archive } from '../archive.js'
import type { Faults } from '../faults.js'
import { tablesOf } from '../json-list.js'
import { firstText, type Loose, recordOf } from '../loose.js'

/** The file of all tables but those of messages. */
export const realmFile = 'realm.json'

// As the tables of messages, without end: it has a line for each reaction.
const mostBytes = 64 * 1024 ** 3

/** The rows of some tables of a file, in the order of the file; undefined: what is no row. */
export async function* rowsOf(
  archive: Archive,
  { file, tables, faults }: { readonly file: string; readonly tables: readonly string[]; readonly faults: Faults },
): AsyncGenerator<{ readonly table: string; readonly row: Loose | undefined; readonly at: string }> {
  for await (const listed of tablesOf(archive.read(file, faults, mostBytes), tables)) {
    const at = `${file} ${listed.table} #${listed.number}`
    const row = listed.fault === undefined ? recordOf(listed.value) : undefined
    if (!row) faults.add('entries of lists that are not readable', at, listed.fault ?? 'it is no object')
    yield { table: listed.table, row, at }
  }
}

/** An id of the archive, as a number that is safe to compare; undefined: it is none. */
export const idOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** UNIX seconds. */
export const timeOf = (value: unknown): Date | undefined =>
  typeof value === 'number' && value > 0 && value < 1e11 ? new Date(value * 1000) : undefined

/** What tells the ids of an organization from those of others: each server counts from 1. */
export function prefixOf(realm: Loose): string {
  const known = firstText(realm.uuid, realm.string_id, realm.name)
  return createHash('sha256').update(known).digest('base64url').slice(0, 8)
}
