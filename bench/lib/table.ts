/** Columns of equal width, with text aligned to the left and numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join('  ')
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export const decimals = (value: number, digits = 2): string => value.toFixed(digits)
export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')
export const percent = (share: number): string => `${Math.round(share * 100)} %`
