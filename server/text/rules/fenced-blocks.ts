import type { StateBlock, Token } from 'markdown-it'
import { pushParagraph } from './block-tokens.js'
import { endOfCode, endOfContainer, type Fence, fenceAt, holdsBlocks } from './fences.js'

/** Block rule: fenced code, and the fences with special words: `quote`, `spoiler Header`, `math`. */
export function fencedBlocks(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const open = fenceAt(state, startLine)
  if (!open) return false
  if (silent) return true
  const container = holdsBlocks(open)
  const end = (container ? endOfContainer : endOfCode)(state, open, startLine, endLine)
  if (container) pushContainer(state, open, startLine + 1, end)
  else pushCode(state, open, startLine + 1, end)
  // Skip the closing fence, unless the text or the list item ended without one.
  const closed = end < endLine && fenceAt(state, end)?.word === ''
  state.line = closed ? end + 1 : end
  return true
}

function pushCode(state: StateBlock, open: Fence, start: number, end: number): void {
  const token = state.push('fence', 'code', 0)
  token.content = state.getLines(start, end, open.indent, true)
  token.info = open.word
}

/** A quotation or spoiler without content is nothing. */
function pushContainer(state: StateBlock, open: Fence, start: number, end: number): void {
  const before = state.tokens.length
  const push = open.word.toLowerCase() === 'spoiler' ? pushSpoiler : pushQuote
  if (push(state, open, start, end) === 0) state.tokens.length = before
}

function pushQuote(state: StateBlock, _open: Fence, start: number, end: number): number {
  state.push('blockquote_open', 'blockquote', 1)
  const count = pushBlocks(state, start, end)
  state.push('blockquote_close', 'blockquote', -1)
  return count
}

function pushSpoiler(state: StateBlock, { header }: Fence, start: number, end: number): number {
  pushDiv(state, 'spoiler_open', 1, false).attrs = [['class', 'spoiler-block']]
  pushDiv(state, 'spoiler_part_open', 1).attrs = [['class', 'spoiler-header']]
  if (header === '') state.push('text', '', 0)
  else pushParagraph(state, header)
  pushDiv(state, 'spoiler_part_close', -1, false)
  pushDiv(state, 'spoiler_part_open', 1).attrs = [
    ['class', 'spoiler-content'],
    ['aria-hidden', 'true'],
  ]
  const count = pushBlocks(state, start, end)
  pushDiv(state, 'spoiler_part_close', -1, false)
  pushDiv(state, 'spoiler_close', -1)
  return count
}

/** A line break between the two parts of a spoiler would be a DOM node, and clients rely on the order of the nodes. */
function pushDiv(state: StateBlock, type: string, nesting: 1 | -1, breakLine = true): Token {
  const token = state.push(type, 'div', nesting)
  token.block = breakLine
  return token
}

/** @returns the number of tokens of the blocks */
function pushBlocks(state: StateBlock, start: number, end: number): number {
  const { parentType, lineMax } = state
  const before = state.tokens.length
  state.parentType = 'blockquote'
  state.lineMax = end
  state.md.block.tokenize(state, start, end)
  state.parentType = parentType
  state.lineMax = lineMax
  return state.tokens.length - before
}

// The largest useful depth; without a limit a line of `>` would create thousands of elements.
const maxDepth = 16

/** Block rule, before all others: at the largest depth every block is a plain paragraph, so no text is lost. */
export function plainWhenDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < maxDepth || silent) return false
  let end = startLine + 1
  while (end < endLine && !state.isEmpty(end) && (state.sCount[end] ?? 0) >= state.blkIndent) end++
  pushParagraph(state, state.getLines(startLine, end, state.blkIndent, false).trim())
  state.line = end
  return true
}
