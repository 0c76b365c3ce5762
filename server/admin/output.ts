/** Prints the result: one JSON value, or lines for people. */
export function print(json: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map(line => `${line}\n`).join(''))
}

/** Prints a line for people that is not part of the result, on standard error. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Column headers, each with a function that makes the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

// Characters: a narrower column would be unreadable.
const leastWidth = 8
const gap = 2

/** Rows in columns. On a terminal the widest columns are shortened until the lines fit. */
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

/** One object, a line per field. */
export function fields(of: Readonly<Record<string, unknown>>): string[] {
  const width = Math.max(...Object.keys(of).map(length))
  return Object.entries(of).map(([name, value]) => `${name.padEnd(width)}  ${printable(shown(value))}`.trimEnd())
}

/** A line with the total count, if the list shows only a part. */
export function rest(shownRows: number, all: number, offset: number): string[] {
  return shownRows === all ? [] : ['', `${offset + 1} to ${offset + shownRows} of ${all}; --offset shows others`]
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Users choose names: replaces control characters, which could move a terminal's cursor. */
export const printable = (value: string | number): string => String(value).replace(/[\p{Cc}\p{Cf}]/gu, '?')

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
