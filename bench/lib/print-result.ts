import { isKept, type Result, type ResultTable, type Target } from './result.js'
import { percent, table } from './table.js'

/** Prints tables to standard output, or with `json` one JSON object only. */
export function printResult(result: Result, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${forPeople(result)}\n`)
}

function forPeople({ machine, options, othersShare, question, notes, tables, targets }: Result): string {
  return [
    question,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.linux}, Node ${machine.node}`,
    Object.entries(options)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    `Other processes took ${percent(othersShare.median)} of the machine at the median, ${percent(othersShare.most)} at most.`,
    ...notes,
    ...tables.flatMap(one => ['', one.title, forTerminal(one)]),
    ...(targets.length > 0 ? ['', ...targets.map(targetLine)] : []),
  ].join('\n')
}

function forTerminal({ columns, rows }: ResultTable): string {
  return table(
    columns.map(({ name }) => name),
    rows.map(({ name, cells }) => [name, ...cells.map((cell, i) => cellText(cell, columns[i + 1]))]),
  )
}

/** A cell in the form that all outputs share. */
export function cellText(cell: number | string | null, column: ResultTable['columns'][number] | undefined): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (column?.percent) return percent(cell)
  const digits = column?.decimals ?? 0
  return cell.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The target and the measured value. */
export function targetLine(target: Target): string {
  const { what, limit, found, is, unit } = target
  const sign = is === 'atMost' ? '≤' : '≥'
  return `${isKept(target) ? 'kept  ' : 'missed'} ${what}: ${found.toFixed(2)} ${unit} (${sign} ${limit})`
}
