/** What a command has to say: one JSON value, or lines for people. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map(line => `${line}\n`).join(''))
}

/** What is not the result, for people: on standard error. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Header to how a cell is made of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

// Narrower than this a column says nothing any more.
const leastWidth = 8
const gap = 2

/** Rows in columns. On a terminal no line is longer than it is wide: the widest columns give way. */
export function table<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  width: number | undefined = process.stdout.isTTY ? process.stdout.columns : undefined,
): string[] {
  const names = Object.keys(columns)
  const cells = [names, ...rows.map(row => names.map(name => printable(columns[name]?.(row) ?? '')))]
  const widths = names.map((_, i) => Math.max(...cells.map(line => length(line[i] ?? ''))))
  if (width !== undefined) narrow(widths, width)
  return cells.map(line =>
    line
      .map((cell, i) => fit(cell, widths[i] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}

/** One thing, a line for each of its fields. */
export function fields(of: Readonly<Record<string, unknown>>): string[] {
  const width = Math.max(...Object.keys(of).map(length))
  return Object.entries(of).map(([name, value]) => `${name.padEnd(width)}  ${printable(shown(value))}`.trimEnd())
}

/** How many there are, where a list shows only some of them. */
export function rest(shownRows: number, all: number, offset: number): string[] {
  return shownRows === all ? [] : ['', `${offset + 1} to ${offset + shownRows} of ${all}; --offset shows others`]
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Names are chosen by people: nothing in them may move a terminal's cursor. */
const printable = (value: string | number): string => String(value).replace(/[\p{Cc}\p{Cf}]/gu, '?')

const length = (text: string): number => [...text].length

function fit(text: string, width: number): string {
  const letters = [...text]
  return letters.length <= width
    ? text + ' '.repeat(width - letters.length)
    : `${letters.slice(0, width - 1).join('')}…`
}

function narrow(widths: number[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one, gap * (widths.length - 1))
  while (total() > width) {
    const widest = Math.max(...widths)
    if (widest <= leastWidth) return
    widths[widths.indexOf(widest)] = widest - 1
  }
}
