import { join } from 'node:path'
import { projectRoot } from '../../config/paths.js'
import { isBefore, version as ownVersion } from '../../config/version.js'
import { StartError } from '../../failures/start-error.js'
import { lockKey } from '../driver/advisory-lock.js'
import type { Tx } from '../driver/db.js'
import { type DatabaseAddress, openDatabase } from '../driver/open-database.js'
import { runScript } from '../driver/statement-text.js'
import { type Migration, readMigrations } from './migration-files.js'

/** The migrations of this program. */
export const ownMigrations = join(projectRoot, 'server/store/migrations')

interface MigrateOptions {
  /** Other migrations and another version than those of this program: for tests. */
  readonly folder?: string
  readonly version?: string
  /** The versions of the workers that run on the organization, which is named by its UUID; unknown: only a new schema is migrated. */
  readonly running?: (organization: string) => Promise<readonly string[]>
}

/** A row of the table `migrations`; null where the table was made before 0.1.0. */
interface Applied {
  readonly name: string
  readonly checksum: string | null
  readonly version: string
  readonly works_with: string | null
}

/**
 * Creates the schema if it does not exist, and applies the files that it lacks in the order of their numbers: each in a transaction of its
 * own under a lock of the schema, because two servers may start at the same time.
 * @throws {StartError} if this program does not run on the schema, if an applied file was changed, or if workers run that may not run on the schema
 * after the next file
 */
export async function migrate(
  at: string | DatabaseAddress,
  schema: string,
  options: MigrateOptions = {},
): Promise<void> {
  const { folder = ownMigrations, version = ownVersion, running } = options
  const files = await readMigrations(folder)
  const sql = openDatabase(at, schema, 1)
  let isNew = false
  try {
    for (let isComplete = false; !isComplete; ) {
      isComplete = await sql.begin(async tx => {
        await tx`select pg_advisory_xact_lock(${lockKey(tx, 'migration')})`
        // `if not exists` would need the right to create schemas, also where the schema exists.
        const [known] = await tx`select from pg_namespace where nspname = ${schema}`
        if (!known) await tx`create schema ${tx(schema)}`
        const applied = await appliedIn(tx)
        requireOwnSchema(applied, files, version)
        const next = files.find(file => !applied.some(({ name }) => name === file.name))
        if (!next) return true
        isNew ||= applied.length === 0
        if (!isNew) await requireNoOlderWorkers(tx, next, running)
        await runScript(tx, next.text)
        await tx`
          insert into migrations (name, checksum, version, works_with)
          values (${next.name}, ${next.checksum}, ${version}, ${next.worksWith})`
        return false
      })
    }
  } finally {
    await sql.end()
  }
}

/** The table of what was applied; a restore makes it, too (backup/restore-tables.ts). */
export async function createMigrationsTable(tx: Tx): Promise<void> {
  // `version`: of the program that applied the file. `works_with`: an older program reads it when it starts on a newer schema.
  await tx`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      version text not null,
      works_with text,
      applied timestamptz not null default clock_timestamp()
    )`
}

async function appliedIn(tx: Tx): Promise<readonly Applied[]> {
  await createMigrationsTable(tx)
  // As JSON, because a table that was made before 0.1.0 has only some of the columns.
  const rows = await tx<{ row: Applied }[]>`
    select json_build_object('checksum', null)::jsonb || to_jsonb(migrations) as row from migrations order by name`
  return rows.map(({ row }) => row)
}

/** @throws {StartError} if a program of this version with these files does not run on the schema. */
function requireOwnSchema(applied: readonly Applied[], files: readonly Migration[], version: string): void {
  for (const { name, checksum, version: newer, works_with } of applied) {
    if (checksum === null) {
      throw new StartError(
        'The database was made by a version before 0.1.0, which no migration leads from: export the organization with that version ' +
          '(npm run admin -- export FILE), and import the file with this one into a new DATA_DIR or DATABASE_SCHEMA.',
      )
    }
    const file = files.find(file => file.name === name)
    if (!file && (works_with === null || isBefore(version, works_with))) {
      throw new StartError(
        `The database has the migration ${name} of version ${newer}, on which version ${version} does not run: start version ${newer} ` +
          'or newer, or restore the backup that was made before the upgrade.',
      )
    }
    if (file && file.checksum !== checksum) {
      throw new StartError(
        `The migration ${name} is not the file that version ${newer} applied to the database: install the unchanged files of a release, ` +
          'or, if no release has this migration, start with a new DATA_DIR or DATABASE_SCHEMA.',
      )
    }
  }
}

/** @throws {StartError} if workers run that may not run on the schema after the migration. */
async function requireNoOlderWorkers(
  tx: Tx,
  { name, worksWith }: Migration,
  running: MigrateOptions['running'],
): Promise<void> {
  if (!running)
    throw new StartError(`The database lacks the migration ${name}: start the server of this version first.`)
  const [row] = await tx<{ uuid: string }[]>`select uuid from organization`
  const older = (await running(row?.uuid ?? '')).filter(one => worksWith === null || isBefore(one, worksWith))
  if (older.length === 0) return
  const versions = [...new Set(older)].sort().join(', ')
  const upgrade = worksWith === null ? '' : `, or upgrade them to version ${worksWith} first`
  throw new StartError(
    `The migration ${name} cannot be applied while workers of version ${versions} run: stop their servers and start again${upgrade}.`,
  )
}
