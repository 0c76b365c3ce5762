import type { Command } from 'commander'
import { countFiles } from '../../store/imports/import-files.js'
import { type ImportRow, importById, readImports } from '../../store/imports/imports.js'
import { AdminError } from '../admin-error.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, table } from '../output.js'
import { reportLines, reportOf } from './report.js'

/** The command `import status`: the imports, or the report of one. */
export function addStatusCommand(imports: Command): void {
  leaf(imports, 'status', 'Lists the archives that were imported, or reports of one of them.', [
    'import status',
    'import status 1',
  ])
    .argument('[id]', 'an import')
    .action(async (given: string | undefined, _: Json, command: Command) => {
      const { json } = command.optsWithGlobals<Json>()
      if (given === undefined) {
        const [rows, files] = await onOrganization(({ sql }) => Promise.all([readImports(sql), countFiles(sql, null)]))
        print(
          json,
          rows.map(row => reportOf(row, files)),
          table(columns, rows),
        )
        return
      }
      const id = importIdOf(given)
      const [row, files] = await onOrganization(({ sql }) => Promise.all([importById(sql, id), countFiles(sql, id)]))
      if (!row) throw new AdminError(`There is no import ${given}.`, 'NOT_FOUND')
      print(json, reportOf(row, files), reportLines(row, files))
    })
}

/** @throws {AdminError} for what is no number. */
export function importIdOf(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new AdminError(`There is no import ${given}.`, 'NOT_FOUND')
  return Number(given)
}

const columns = {
  ID: (row: ImportRow) => row.id,
  FROM: (row: ImportRow) => row.source,
  STATE: (row: ImportRow) => row.state,
  MESSAGES: (row: ImportRow) => row.written.messages ?? 0,
  STARTED: (row: ImportRow) => row.started.toISOString().slice(0, 16),
}
