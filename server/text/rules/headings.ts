import type { StateBlock } from 'markdown-it'
import { indentOf, pushInline, pushParagraph, startOf, textOf } from './block-tokens.js'

const heading = /^(#{1,6})\s(.*)$/s

/** Block rule: `# Title`. A mark that is indented, or without a space, is text: `#channel`, `#5`. */
export function headings(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) > 0 || state.src.charCodeAt(startOf(state, startLine)) !== 0x23) return false
  const [, marks = '', rest = ''] = heading.exec(textOf(state, startLine)) ?? []
  const text = rest.trim().replace(/#+$/, '').trimEnd()
  if (text === '') return false
  if (silent) return true
  const tag = `h${marks.length}`
  state.push('heading_open', tag, 1)
  pushInline(state, text)
  state.push('heading_close', tag, -1)
  state.line = startLine + 1
  return true
}

/** Block rule, before quotations: lines with nothing but `>` are text. */
export function bareQuoteMarks(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  let line = startLine
  while (line < endLine && indentOf(state, line) >= 0 && /^>[> ]*$/.test(textOf(state, line))) line++
  if (line === startLine || (line < endLine && !state.isEmpty(line))) return false
  if (silent) return true
  pushParagraph(state, state.getLines(startLine, line, state.blkIndent, false).trim())
  state.line = line
  return true
}
