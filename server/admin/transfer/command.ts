import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { createLog } from '../../log.js'
import type { Sql } from '../../store/driver/db.js'
import { openDatabase } from '../../store/driver/open-database.js'
import { AdminError } from '../admin-error.js'
import { type WithDatabase, withDatabase } from '../database.js'
import { addArchiveCommands } from '../import/command.js'
import { type Json, leaf } from '../leaf.js'
import { auditCommand } from '../operator.js'
import { print, say } from '../output.js'
import { shownTo } from '../progress.js'
import { type Counts, exportOrganization } from './export.js'
import { importOrganization } from './import.js'
import { linesOf } from './lines-of.js'

/** The commands `export` and `import`: the whole organization as JSON lines (docs/export-format.md), and `import …` for archives of other servers. */
export function addTransferCommands(program: Command): void {
  leaf(program, 'export', 'Writes the whole organization, as it is at one moment, as JSON lines.', [
    'export backup.jsonl.gz',
    'export --with-secrets backup.jsonl',
    'export - | ssh elsewhere "cat > backup.jsonl"',
  ])
    .argument('<file>', 'a new file, compressed when its name ends in .gz; -: standard output')
    .option('--with-secrets', 'also API keys and hashes of passwords', false)
    .option('--force', 'replace a file that is there', false)
    .action(async (file: string, { json, ...options }: { withSecrets: boolean; force: boolean } & Json) => {
      if (file === '-' && json) throw new AdminError('Standard output cannot hold both: name a file.', 'USAGE')
      if (file !== '-' && !options.force && existsSync(file)) {
        throw new AdminError(`${file} exists already: --force replaces it.`, 'FILE_EXISTS')
      }
      const counts = await onDatabase(async (sql, { dataDir }) => {
        const subject = { file: pathOf(file), with_secrets: options.withSecrets }
        // Before the first line: an export that breaks off has been read, too.
        await auditCommand(sql, 'export', { subject, before: null, after: {} })
        return await exportOrganization(sql, { ...options, file, dataDir }, shownTo(process.stderr))
      })
      if (file === '-') say(`exported ${countsText(counts)}`)
      else print(json, { file, lines: counts }, [`exported ${countsText(counts)} to ${file}`])
    })

  const imports = leaf(program, 'import', 'Fills an empty organization from an export: all of it, or nothing.', [
    'import backup.jsonl.gz',
    'import - < backup.jsonl',
  ])
    .argument('<file>', 'what export wrote; -: standard input')
    .action(async (file: string, { json }: Json) => {
      const progress = shownTo(process.stderr)
      const counts = await onDatabase(async sql => {
        progress.begin(`reading ${file}`, sizeOf(file))
        const counts = await importOrganization(sql, linesOf(file, progress.advance), progress)
        await auditCommand(sql, 'import', { subject: { file: pathOf(file) }, before: null, after: {} })
        return counts
      }, true)
      print(json, { file, lines: counts }, [
        `imported ${countsText(counts)}`,
        'Restart a running server; clients then register new queues.',
      ])
    })
  addArchiveCommands(imports)
}

/** For the audit log. */
const pathOf = (file: string): string => (file === '-' ? file : resolve(file))

/** Bytes, for the progress bar; unknown for standard input. */
const sizeOf = (file: string): number => (file === '-' ? 1 : (statSync(file, { throwIfNoEntry: false })?.size ?? 1))

async function onDatabase<T>(work: (sql: Sql, settings: WithDatabase) => Promise<T>, create = false): Promise<T> {
  const use = async (settings: WithDatabase) => {
    const { databaseUrl, databaseSocket, databaseSchema } = settings
    const sql = openDatabase({ url: databaseUrl, socket: databaseSocket }, databaseSchema, 2)
    try {
      return await work(sql, settings)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  return await withDatabase(readConfig(process.env), createLog('warn', 'admin'), use, { create })
}

const countsText = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([name, count]) => count > 0 && name !== 'organization')
    .map(([name, count]) => `${count} ${name} lines`)
    .join(', ')
