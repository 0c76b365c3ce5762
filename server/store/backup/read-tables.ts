import type { Readable } from 'node:stream'
import type { Sql, Tx } from '../driver/db.js'

/** A table of the schema, with the columns that a backup contains: all but generated ones, which follow from the others. */
export interface BackupTable {
  readonly name: string
  readonly columns: string[]
}

export interface BackupSequence {
  readonly name: string
  /** The last value that was assigned; null: none yet. */
  readonly last: number | null
}

/** Runs `work` in a transaction with one snapshot of the whole database, without time limits; other transactions do not wait for it. */
export async function inBackupSnapshot<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sql.begin('isolation level repeatable read', async tx => {
    await withoutLimits(tx)
    return await work(tx)
  })) as T
}

/** The archive may be read or written slowly. The text of a time must not depend on the session. */
export async function withoutLimits(tx: Tx): Promise<void> {
  await tx`set local idle_in_transaction_session_timeout = 0`
  await tx`set local timezone = 'UTC'`
}

/** All tables of the schema, by name. */
export function backupTables(tx: Tx): Promise<BackupTable[]> {
  return tx<BackupTable[]>`
    select c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind = 'r'
    group by c.relname order by c.relname`
}

/** The rows of a table in the text form of COPY, one row per line. They are read as fast as the caller takes them. */
export const copyOut = (tx: Tx, { name, columns }: BackupTable): Promise<Readable> =>
  tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable()

/** The sequences of the schema. They are not part of the snapshot: a value may be higher than that of the newest row. */
export function backupSequences(tx: Tx): Promise<BackupSequence[]> {
  return tx<BackupSequence[]>`
    select sequencename::text as name, last_value as last from pg_sequences where schemaname = current_schema() order by 1`
}

/** The organization, and the migrations that made its schema, in their order. */
export async function backupOrigin(tx: Tx): Promise<{
  organization: { uuid: string; name: string }
  migrations: { name: string; checksum: string }[]
}> {
  const [organization] = await tx<{ uuid: string; name: string }[]>`select uuid, name from organization`
  if (!organization) throw new Error('the schema has no organization row')
  const migrations = await tx<{ name: string; checksum: string }[]>`
    select name, checksum from migrations order by name`
  return { organization, migrations }
}
