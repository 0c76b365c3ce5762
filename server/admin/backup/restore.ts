import { pipeline } from 'node:stream/promises'
import type { Storage } from '../../storage/storage.js'
import { withoutLimits } from '../../store/backup/read-tables.js'
import {
  completeTables,
  copyIn,
  createSchemaBy,
  isFreeSchema,
  type Stripped,
  stripTables,
} from '../../store/backup/restore-tables.js'
import type { Tx } from '../../store/driver/db.js'
import { openDatabase } from '../../store/driver/open-database.js'
import type { Migration } from '../../store/schema/migration-files.js'
import { AdminError } from '../admin-error.js'
import type { WithDatabase } from '../database.js'
import type { Progress } from '../progress.js'
import type { CheckedArchive } from './check-archive.js'
import type { Header, Manifest, Sequences } from './format.js'
import { ignoring, type Receiver, readArchive } from './read-archive.js'

/** The migrations with which the schema of the archive was made. @throws {AdminError} if this program does not have them */
export function migrationsOf({ file, header }: CheckedArchive, known: readonly Migration[]): Migration[] {
  return header.migrations.map(({ name, checksum }) => {
    const own = known.find(migration => migration.name === name)
    if (own?.checksum === checksum) return own
    const what = own ? `with another ${name}` : `with ${name}, which this program does not have`
    throw new AdminError(
      `The database of ${file} was made by release ${header.program} ${what}: restore it with that release or a newer one.`,
      'NEWER',
    )
  })
}

/**
 * Stores a checked archive: the database in one transaction, which is committed after all files have been stored. If it fails, files that it
 * stored are removed.
 * @throws {AdminError} if the schema has tables
 */
export async function restore(
  archive: CheckedArchive,
  migrations: readonly Migration[],
  {
    database: { databaseUrl: url, databaseSocket: socket, databaseSchema: schema },
    storage,
    progress,
  }: { readonly database: WithDatabase; readonly storage: Storage; readonly progress: Progress },
): Promise<void> {
  const sql = openDatabase({ url, socket }, schema, 1)
  const stored: StoredFiles = { count: 0 }
  try {
    await sql.begin(async tx => {
      await withoutLimits(tx)
      if (!(await isFreeSchema(tx, schema))) {
        throw new AdminError(
          `The schema ${schema} of the database is not empty: restore into another DATABASE_SCHEMA or database.`,
          'NOT_EMPTY',
        )
      }
      await createSchemaBy(tx, schema, migrations)
      const receiver = new Restoring(tx, { storage, manifest: archive.manifest, stored, progress })
      await readArchive(archive.file, archive.end, receiver)
      await receiver.complete()
    })
  } catch (error) {
    await removeStored(archive, storage, stored.count)
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

interface StoredFiles {
  /** Files whose storing was begun, in the order of the archive. */
  count: number
}

interface RestoringParts {
  readonly storage: Storage
  readonly manifest: Manifest
  readonly stored: StoredFiles
  readonly progress: Progress
}

class Restoring implements Receiver {
  private header: Header | undefined
  private stripped: Stripped = []
  private numbers: Sequences = []

  constructor(
    private readonly tx: Tx,
    private readonly parts: RestoringParts,
  ) {}

  async begin(header: Header): Promise<void> {
    this.header = header
    this.stripped = await stripTables(this.tx, header.tables)
    this.parts.progress.begin('database', header.tables.length)
  }

  async table(table: Header['tables'][number], rows: AsyncIterable<Uint8Array>): Promise<void> {
    await pipeline(rows, await copyIn(this.tx, table))
    this.parts.progress.advance(1)
  }

  async sequences(sequences: Sequences): Promise<void> {
    this.numbers = sequences
    this.parts.progress.end()
    this.parts.progress.begin('files', Math.max(1, this.parts.manifest.files.count))
  }

  async file(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    this.parts.stored.count++
    await this.parts.storage.write(key, bytes)
    this.parts.progress.advance(1)
  }

  /** The archive has been read to its end. */
  async complete(): Promise<void> {
    this.parts.progress.end()
    this.parts.progress.begin('indexes', 1)
    await completeTables(this.tx, this.stripped, this.header?.tables ?? [], this.numbers)
    this.parts.progress.end()
  }
}

/** Removes the first files of the archive from the store. */
async function removeStored({ file, end }: CheckedArchive, storage: Storage, count: number): Promise<void> {
  let left = count
  if (left === 0) return
  await readArchive(file, end, {
    ...ignoring,
    async file(key, bytes) {
      await ignoring.file(key, bytes)
      if (left-- > 0) await storage.remove([key])
    },
  })
}
