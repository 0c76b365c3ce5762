import type { Writable } from 'node:stream'
import { lockKey } from '../driver/advisory-lock.js'
import type { Tx } from '../driver/db.js'
import { runScript } from '../driver/statement-text.js'
import { createMigrationsTable } from '../schema/migrate.js'
import type { Migration } from '../schema/migration-files.js'
import type { BackupSequence, BackupTable } from './read-tables.js'

/** Whether a schema has no tables, or does not exist. Other programs that would create it wait until the transaction ends. */
export async function isFreeSchema(tx: Tx, schema: string): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${lockKey(tx, 'migration')})`
  const rows = await tx`
    select from pg_class where relnamespace = (select oid from pg_namespace where nspname = ${schema}) limit 1`
  return rows.length === 0
}

/** Makes the schema as these migrations left it. */
export async function createSchemaBy(tx: Tx, schema: string, migrations: readonly Migration[]): Promise<void> {
  // `if not exists` would need the right to create schemas, also where the schema exists.
  const [known] = await tx`select from pg_namespace where nspname = ${schema}`
  if (!known) await tx`create schema ${tx(schema)}`
  await createMigrationsTable(tx)
  for (const { text } of migrations) await runScript(tx, text)
}

/** Statements that make what `stripTables` removed. */
export type Stripped = readonly string[]

/**
 * Deletes the rows that migrations inserted, and drops foreign keys and the indexes that are not constraints: rows are stored in any order of
 * the tables, and an index is made from all rows several times faster than row by row.
 */
export async function stripTables(tx: Tx, tables: readonly BackupTable[]): Promise<Stripped> {
  const keys = await tx<{ drop: string; make: string }[]>`
    select format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
      format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as make
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by c.relname, k.conname`
  const indexes = await tx<{ drop: string; make: string }[]>`
    select format('drop index %I', c.relname) as drop, pg_get_indexdef(i.indexrelid) as make
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by c.relname`
  for (const { drop } of [...keys, ...indexes]) await runScript(tx, drop)
  await tx`truncate ${tx(tables.map(({ name }) => name))}`
  return [...indexes, ...keys].map(({ make }) => make)
}

/** Stores rows in the text form of COPY. The stream finishes when PostgreSQL has stored them. */
export const copyIn = (tx: Tx, { name, columns }: BackupTable): Promise<Writable> =>
  tx`copy ${tx(name)} (${tx(columns)}) from stdin`.writable()

/** Makes what `stripTables` removed, sets the sequences, and updates the statistics of the planner. */
export async function completeTables(
  tx: Tx,
  stripped: Stripped,
  tables: readonly BackupTable[],
  sequences: readonly BackupSequence[],
): Promise<void> {
  for (const make of stripped) await runScript(tx, make)
  for (const { name, last } of sequences) {
    await tx`
      select setval(quote_ident(${name})::regclass, coalesce(${last}::bigint, seqstart), ${last !== null})
      from pg_sequence where seqrelid = quote_ident(${name})::regclass`
  }
  // The ids of transactions are those of another database. No client has a state that contains these events.
  await tx`update outbox set xid = pg_current_xact_id()`
  await tx`analyze ${tx(tables.map(({ name }) => name))}`
}
