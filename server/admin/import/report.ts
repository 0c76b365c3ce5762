import type { FileCount } from '../../store/imports/import-files.js'
import type { ImportRow } from '../../store/imports/imports.js'
import type { Checked } from '../../transfer/check.js'
import type { FaultKind } from '../../transfer/faults.js'
import { printable } from '../output.js'
import { faultLines, sumOf } from './check.js'

/** What is stored of a check (transfer/writer/prepare.ts). */
type Stored = Checked & { readonly twice: number; readonly known: number }

/** An import as JSON. */
export function reportOf(row: ImportRow, files: readonly FileCount[]) {
  const { id, source, state, first_id, last_id, written, started, finished } = row
  const { faults, ...checked } = row.checked as Stored
  return {
    id,
    source,
    state,
    first_id,
    last_id,
    started,
    finished,
    checked,
    written,
    files: files.filter(one => one.import_id === id).map(({ import_id: _, ...counts }) => counts),
    faults: [...faults, ...faultsOf(row)],
  }
}

/** What became of the files. */
export const fileLines = (files: readonly FileCount[]): string[] =>
  files.map(one => `files ${one.state}${one.why === '' ? '' : `, ${printable(one.why)}`}: ${one.files}`)

const faultsOf = (row: ImportRow) => row.faults as readonly FaultKind[]

/** The same for people. */
export function reportLines(row: ImportRow, files: readonly FileCount[]): string[] {
  const checked = row.checked as Stored
  const { twice, known } = checked
  return [
    `import ${row.id} from ${row.source}: ${row.state}`,
    ...Object.entries(row.written).map(([what, count]) => `${what}: ${count}`),
    ...fileLines(files),
    ...(twice > 0 ? [`messages that the archive has twice: ${twice}`] : []),
    ...(known > 0 ? [`messages of earlier imports: ${known}`] : []),
    ...checked.channels.renamed.map(text => `has another name: ${printable(text)}`),
    ...[...checked.faults, ...faultsOf(row)].flatMap(faultLines),
    sumOf(checked.messages),
  ]
}
