import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

/** The result of a scenario, printed as tables, or as JSON with `--json`. */
export interface Result {
  /** The options of the run, so that it can be repeated. */
  readonly options: Readonly<Record<string, string | number | boolean | undefined>>
  /** Share of the machine's CPU time that other processes used, 0 to 1; above 0.1, repeat the measurement. */
  readonly othersShare: { readonly median: number; readonly most: number }
  /** Sentences that a reader of the tables needs. */
  readonly notes: readonly string[]
  readonly tables: readonly ResultTable[]
  readonly targets: readonly Target[]
}

/** A result with what ran, and where. */
export interface PrintedResult extends Result {
  /** Its name on the command line. */
  readonly scenario: string
  readonly question: string
  readonly machine: ReturnType<typeof machine>
}

export interface ResultTable {
  readonly title: string
  /** The names of the columns after the first, which contains the row's name. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}
export type Row = readonly [name: string, ...cells: (number | string | null)[]]

/** A figure with a limit that the project promises. */
export interface Target {
  readonly what: string
  readonly limit: number
  readonly found: number
  /** How `found` must relate to `limit`. */
  readonly is: 'atMost' | 'atLeast'
  readonly unit: string
}

const target =
  (is: Target['is']) =>
  (limit: number, unit: string, what: string, found: number): Target => ({ what, limit, found, is, unit })
export const atMost = target('atMost')
export const atLeast = target('atLeast')

export function machine() {
  const [, model = 'unknown'] = /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
  const memoryGiB = Math.round(totalmem() / 2 ** 30)
  return { cpu: model, cores: cpus().length, memoryGiB, linux: release(), node: process.version }
}

/** The form for the terminal. */
export function textOfResult({ machine: on, options, othersShare, ...result }: PrintedResult): string {
  return [
    result.question,
    `${on.cpu}, ${on.cores} cores, ${on.memoryGiB} GiB, Linux ${on.linux}, Node ${on.node}`,
    Object.entries(options)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
      .join(', '),
    `Other processes took ${percent(othersShare.median)} of the machine at the median, ${percent(othersShare.most)} at most.`,
    ...result.notes,
    ...result.tables.flatMap(one => ['', one.title, textOfTable(one)]),
    ...(result.targets.length > 0 ? ['', ...result.targets.map(textOfTarget)] : []),
  ].join('\n')
}

/** Columns of equal width, with names aligned to the left and numbers to the right. */
function textOfTable({ columns, rows }: ResultTable): string {
  const texts = [['', ...columns], ...rows.map(([name, ...cells]) => [name, ...cells.map(textOfCell)])]
  const widths = texts[0]?.map((_, i) => Math.max(...texts.map(row => row[i]?.length ?? 0))) ?? []
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return texts.map(line).join('\n')
}

/** Numbers have three significant digits, and no fewer than their whole part. */
function textOfCell(cell: number | string | null): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  const digits = cell === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell))))
  return cell.toLocaleString('en-US', { maximumFractionDigits: Math.min(4, digits) })
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`

function textOfTarget({ what, limit, found, is, unit }: Target): string {
  const isKept = is === 'atMost' ? found <= limit : found >= limit
  return `${isKept ? 'kept  ' : 'missed'} ${what}: ${found.toFixed(2)} ${unit} (${is === 'atMost' ? '≤' : '≥'} ${limit})`
}
