import type { StateBlock } from 'markdown-it'
import { indentOf, pushInline, textOf } from './block-tokens.js'
import { fenceAt } from './fences.js'
import { codeSpanAt } from './inline-code.js'

type Alignment = '' | 'left' | 'center' | 'right'

/** Block rule: a table, which begins its block and ends at a blank line (docs/protocol/message-html.md#tables). */
export function tables(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || startLine + 1 >= endLine || indentOf(state, startLine + 1) < 0) return false
  const alignments = alignmentsOf(textOf(state, startLine + 1))
  if (!alignments || !textOf(state, startLine).includes('|')) return false
  const titles = cellsOf(textOf(state, startLine))
  if (titles.length !== alignments.length) return false
  const rows: string[][] = []
  let line = startLine + 2
  while (line < endLine && !state.isEmpty(line) && indentOf(state, line) >= 0 && !fenceAt(state, line)) {
    rows.push(cellsOf(textOf(state, line++)))
  }
  state.push('table_open', 'table', 1)
  pushSection(state, { section: 'thead', cell: 'th', rows: [titles], alignments })
  // Clients refuse a table without rows.
  pushSection(state, { section: 'tbody', cell: 'td', rows: rows.length > 0 ? rows : [[]], alignments })
  state.push('table_close', 'table', -1)
  state.line = line
  return true
}

function pushSection(
  state: StateBlock,
  {
    section,
    cell,
    rows,
    alignments,
  }: {
    readonly section: 'thead' | 'tbody'
    readonly cell: 'th' | 'td'
    readonly rows: readonly (readonly string[])[]
    readonly alignments: readonly Alignment[]
  },
): void {
  state.push(`${section}_open`, section, 1)
  for (const row of rows) {
    state.push('tr_open', 'tr', 1)
    alignments.forEach((alignment, column) => {
      const open = state.push(`${cell}_open`, cell, 1)
      if (alignment !== '') open.attrs = [['style', `text-align: ${alignment};`]]
      pushInline(state, row[column] ?? '')
      state.push(`${cell}_close`, cell, -1)
    })
    state.push('tr_close', 'tr', -1)
  }
  state.push(`${section}_close`, section, -1)
}

/** The alignments of the columns, if the line separates a table's head from its rows. */
function alignmentsOf(text: string): Alignment[] | undefined {
  if (!text.includes('|') || !/^[-:| ]+$/.test(text)) return undefined
  const cells = cellsOf(text)
  return cells.every(cell => /^:?-+:?$/.test(cell)) ? cells.map(alignmentOf) : undefined
}

function alignmentOf(cell: string): Alignment {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right'
  return cell.startsWith(':') ? 'left' : ''
}

/** The cells of a row. A bar in inline code, and one behind a backslash, separates none. */
function cellsOf(line: string): string[] {
  const text = line.trim()
  const cells = ['']
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    const end =
      char === '`' ? (codeSpanAt(text, at, text.length)?.end ?? at + 1) : text.startsWith('\\|', at) ? at + 2 : at + 1
    if (char === '|') cells.push('')
    else cells[cells.length - 1] += text.slice(char === '\\' && end === at + 2 ? at + 1 : at, end)
    at = end
  }
  if (cells.length > 1 && cells[0] === '') cells.shift()
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  return cells.map(cell => cell.trim())
}
