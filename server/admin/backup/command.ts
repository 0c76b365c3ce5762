import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { version } from '../../config/version.js'
import { type Config, readConfig, shownSettings } from '../../config.js'
import { createLog, type Log } from '../../log.js'
import { openStorage } from '../../storage/open-storage.js'
import type { Storage } from '../../storage/storage.js'
import { openDatabase } from '../../store/driver/open-database.js'
import { migrate, ownMigrations } from '../../store/schema/migrate.js'
import { readMigrations } from '../../store/schema/migration-files.js'
import { AdminError } from '../admin-error.js'
import { type WithDatabase, withDatabase } from '../database.js'
import { type Json, leaf } from '../leaf.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { shownTo } from '../progress.js'
import { backUp } from './back-up.js'
import { type CheckedArchive, checkArchive } from './check-archive.js'
import { described, settingLines, summaryOf, warnOfMissing } from './describe-archive.js'
import { migrationsOf, restore } from './restore.js'
import { removeCreated, requireEmptyTarget } from './restore-target.js'

interface BackupOptions extends Json {
  readonly verify: boolean
  readonly force: boolean
}

/** The commands `backup` and `restore`: database and files in one archive (docs/operations.md#backup-and-restore). */
export function addBackupCommands(program: Command): void {
  leaf(
    program,
    'backup',
    'Writes database and files, as they are at one moment, into one archive, and checks archives.',
    ['backup /backup/parley-monday.tar.zst', 'backup --verify /backup/parley-monday.tar.zst'],
  )
    .argument('<file>', 'a new file')
    .option('--verify', 'write nothing: read the file and find out whether it is whole', false)
    .option('--force', 'replace a file that is there', false)
    .action(async (file: string, options: BackupOptions) => {
      if (options.verify) await verifyFile(file, options.json)
      else await writeBackup(file, options)
    })

  leaf(
    program,
    'restore',
    'Fills an empty database and an empty store of files from an archive: all of it, or nothing.',
    ['restore /backup/parley-monday.tar.zst', 'DATA_DIR=/srv/drill restore /backup/parley-monday.tar.zst'],
  )
    .argument('<file>', 'what backup wrote')
    .action(async (file: string, { json }: Json) => {
      const log = createLog('warn', 'admin')
      const archive = await checkArchive(file, shownTo(process.stderr))
      await inPlace(readConfig(process.env), log, archive)
      print(json, summaryOf(archive), [
        `restored ${described(archive)}`,
        ...settingLines(archive.header),
        'Start the server: clients register new event queues.',
      ])
      warnOfMissing(archive.manifest)
    })
}

async function verifyFile(file: string, json: boolean): Promise<void> {
  const archive = await checkArchive(file, shownTo(process.stderr))
  print(json, summaryOf(archive), [`${file} is whole: ${described(archive)}`])
  warnOfMissing(archive.manifest)
}

async function writeBackup(file: string, { json, force }: BackupOptions): Promise<void> {
  if (!force && existsSync(file)) throw new AdminError(`${file} exists already: --force replaces it.`, 'FILE_EXISTS')
  const log = createLog('warn', 'admin')
  const config = readConfig(process.env)
  const about = { program: version, ...shownSettings(process.env) }
  const written = await withStorage(config, log, storage =>
    withDatabase(config, log, async settings => {
      // Before the archive: one that breaks off has been read, too.
      await audit(settings, 'backup', file)
      return await backUp({ settings, storage, about }, file, shownTo(process.stderr))
    }),
  )
  print(json, summaryOf({ file, ...written }), [`wrote ${described(written)} to ${file}`])
  warnOfMissing(written.manifest)
}

/** Restores a checked archive where the settings say. */
async function inPlace(config: Config, log: Log, archive: CheckedArchive): Promise<void> {
  const migrations = migrationsOf(archive, await readMigrations(ownMigrations))
  await withStorage(config, log, async storage => {
    await requireEmptyTarget(config, storage, archive.header.organization.uuid)
    try {
      await withDatabase(
        config,
        log,
        async settings => {
          await restore(archive, migrations, { database: settings, storage, progress: shownTo(process.stderr) })
          // To the schema of this program, if the archive is of an earlier release.
          const { databaseUrl: url, databaseSocket: socket, databaseSchema } = settings
          await migrate({ url, socket }, databaseSchema, { running: async () => [] })
          await audit(settings, 'restore', archive.file)
        },
        { create: true, migrates: false },
      )
    } catch (error) {
      await removeCreated(config)
      throw error
    }
  })
}

async function audit(settings: WithDatabase, event: string, file: string): Promise<void> {
  const { databaseUrl: url, databaseSocket: socket, databaseSchema } = settings
  const sql = openDatabase({ url, socket }, databaseSchema, 1)
  try {
    await auditCommand(sql, event, { subject: { file: resolve(file) }, before: null, after: {} })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function withStorage<T>(config: Config, log: Log, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(config, log)
  try {
    return await work(storage)
  } finally {
    storage.close()
  }
}
