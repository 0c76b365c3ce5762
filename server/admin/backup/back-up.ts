import { lchown, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { keysOfOwner } from '../../actions/pictures/keys-of-owner.js'
import type { Storage } from '../../storage/storage.js'
import { holdFiles, noteFileOwners, readFileOwners } from '../../store/backup/named-files.js'
import {
  type BackupTable,
  backupOrigin,
  backupSequences,
  backupTables,
  copyOut,
  inBackupSnapshot,
} from '../../store/backup/read-tables.js'
import type { Tx } from '../../store/driver/db.js'
import { openDatabase } from '../../store/driver/open-database.js'
import { AdminError } from '../admin-error.js'
import type { WithDatabase } from '../database.js'
import type { Progress } from '../progress.js'
import { ArchiveWriter } from './archive-writer.js'
import {
  entryNames,
  type FileLine,
  fileName,
  formatVersion,
  type Header,
  indexName,
  type Manifest,
  rowsName,
} from './format.js'
import { sha256Of, Tally } from './tally.js'

// Bytes of an entry with rows of a table, which is in memory as a whole.
const partBytes = 4 * 2 ** 20
// Files of an index.
const indexedTogether = 1000

/** Where a backup takes its files and settings from. */
interface BackupSource {
  readonly settings: WithDatabase
  readonly storage: Storage
  /** What the header says besides the state of the database. */
  readonly about: Pick<Header, 'program' | 'settings' | 'secrets'>
}

/** Written while servers run: the database as it is at one moment, and each file that it names. */
export async function backUp(
  { settings, storage, about }: BackupSource,
  file: string,
  progress: Progress,
): Promise<{ header: Header; manifest: Manifest }> {
  // One connection: it holds the lock of the files, and the temporary table of those that are to be read.
  const sql = openDatabase({ url: settings.databaseUrl, socket: settings.databaseSocket }, settings.databaseSchema, 1)
  try {
    if (!(await holdFiles(sql))) throw new AdminError('Another backup of this organization is running.', 'BUSY')
    let written: { header: Header; manifest: Manifest } | undefined
    await ArchiveWriter.write(
      file,
      draft => giveToOwner(draft, settings.dataDir),
      async archive => {
        const { header, count, ...database } = await inBackupSnapshot(sql, async tx =>
          addDatabase(tx, archive, await headerOf(tx, about), progress),
        )
        progress.begin('files', Math.max(1, count))
        const files = await addFiles(archive, storage, readFileOwners(sql), progress)
        progress.end()
        const manifest = { ...database, files, header: sha256Of(JSON.stringify(header)) }
        await archive.addText(entryNames.manifest, JSON.stringify(manifest))
        written = { header, manifest }
      },
    )
    if (!written) throw new Error('the archive was not filled')
    return written
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** For root: the owner of the data also owns its backups. */
async function giveToOwner(draft: string, dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(dataDir).catch(() => undefined)
  if (owner) await lchown(draft, owner.uid, owner.gid)
}

async function headerOf(tx: Tx, about: BackupSource['about']): Promise<Header> {
  const { organization, migrations } = await backupOrigin(tx)
  return {
    format: 'parley-backup',
    version: formatVersion,
    created: new Date().toISOString(),
    organization,
    migrations,
    tables: await backupTables(tx),
    ...about,
  }
}

async function addDatabase(tx: Tx, archive: ArchiveWriter, header: Header, progress: Progress) {
  const { tables } = header
  await archive.addText(entryNames.header, JSON.stringify(header))
  progress.begin('database', tables.length)
  const totals: Manifest['tables'] = {}
  for (const table of tables) {
    totals[table.name] = await addTable(tx, archive, table)
    progress.advance(1)
  }
  progress.end()
  const sequences = JSON.stringify(await backupSequences(tx))
  await archive.addText(entryNames.sequences, sequences)
  return { header, tables: totals, sequences: sha256Of(sequences), count: await noteFileOwners(tx) }
}

async function addTable(tx: Tx, archive: ArchiveWriter, table: BackupTable): Promise<Manifest['tables'][string]> {
  const tally = new Tally()
  let part = 0
  for await (const bytes of partsOf(tally.counted(await copyOut(tx, table)))) {
    part++
    await archive.add(rowsName(table.name, part), bytes.length, [bytes])
  }
  return tally.totals()
}

/** An entry of an archive begins with its size, and COPY does not know how much it will write. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let collected: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    collected.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) continue
    yield Buffer.concat(collected)
    collected = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(collected)
}

async function addFiles(
  archive: ArchiveWriter,
  storage: Storage,
  owners: ReturnType<typeof readFileOwners>,
  progress: Progress,
): Promise<Manifest['files']> {
  const all = new Tally()
  const sums = { count: 0, bytes: 0, missing: 0 }
  let lines: string[] = []
  let part = 0
  const addIndex = async () => {
    if (lines.length === 0) return
    const text = lines.map(line => `${line}\n`).join('')
    all.add(Buffer.from(text))
    part++
    await archive.addText(indexName(part), text)
    lines = []
  }
  for await (const owner of owners) {
    for (const key of keysOfOwner(owner)) {
      const line = await addFile(archive, storage, key)
      lines.push(JSON.stringify(line))
      if (line.size === null) sums.missing++
      else sums.count++
      sums.bytes += line.size ?? 0
      if (lines.length === indexedTogether) await addIndex()
    }
    progress.advance(1)
  }
  await addIndex()
  return { ...sums, sha256: all.totals().sha256 }
}

async function addFile(archive: ArchiveWriter, storage: Storage, key: string): Promise<FileLine> {
  const size = await storage.sizeOf(key)
  if (size === undefined) return { key, size: null }
  const chunks = size === 0 ? Readable.from([]) : await storage.read(key, { start: 0, end: size - 1 })
  if (!chunks) return { key, size: null }
  const tally = new Tally()
  await archive.add(fileName(key), size, tally.counted(chunks))
  return { key, size, sha256: tally.totals().sha256 }
}
