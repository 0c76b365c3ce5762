import type { StateBlock } from 'markdown-it'

/** A line that opens or closes a block. */
export interface Fence {
  /** The run of backticks or tildes. */
  marker: string
  indent: number
  /** The language of code, or the kind of another block; '' on a line that closes a block. */
  word: string
  /** What follows the word: the header of a spoiler. */
  header: string
}

const opening = /^(`{3,}|~{3,}) *(?:\{?\.?([\w+,./#-]+) *([^`~]*?)\}?)? *$/

/** The fence on a line of the source, if there is one (docs/protocol/message-html.md#fences). */
export function fenceAt(state: StateBlock, line: number): Fence | undefined {
  const indent = state.sCount[line] ?? 0
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const first = state.src.charCodeAt(start)
  if ((first !== 0x60 && first !== 0x7e) || indent > state.blkIndent + moreInItems(state)) return undefined
  const text = state.src.slice(start, state.eMarks[line])
  // Checked first, because the pattern would try each length of the word before it failed at a mark behind it.
  const rest = text.replace(/^(?:`+|~+)/, '')
  if (rest.includes('`') || rest.includes('~')) return undefined
  const [, marker, word = '', header = ''] = opening.exec(text) ?? []
  return marker === undefined ? undefined : { marker, indent, word, header: header.trim() }
}

// Other writers indent what belongs to an item by the width of its marker, or by four spaces.
const moreInItems = ({ blkIndent }: StateBlock): number => (blkIndent === 0 ? 0 : 3)

const closes = (fence: Fence, open: Fence): boolean => fence.word === '' && fence.marker === open.marker

/** The line that closes a code block, or the end of the text. */
export function endOfCode(state: StateBlock, open: Fence, startLine: number, endLine: number): number {
  for (let line = startLine + 1; line < endLine; line++) {
    if (hasLeft(state, line)) return line
    const fence = fenceAt(state, line)
    if (fence && closes(fence, open)) return line
  }
  return endLine
}

/**
 * The line that closes a quote or spoiler, or the end of the text. It may contain other fences, even with the same
 * marker: a fence with a word opens a block, one without closes the block opened last. An unclosed inner block
 * does not keep the outer one open if the outer fence is longer than every fence inside.
 */
export function endOfContainer(state: StateBlock, open: Fence, startLine: number, endLine: number): number {
  const inner: Fence[] = []
  for (let line = startLine + 1; line < endLine; line++) {
    if (hasLeft(state, line)) return line
    const fence = fenceAt(state, line)
    if (!fence) continue
    const last = inner.at(-1) ?? open
    if (longerThanAll(fence, inner) && fence.marker === open.marker) return line
    if (closes(fence, last)) {
      if (inner.pop() === undefined) return line
    } else if (last === open || holdsBlocks(last)) inner.push(fence)
  }
  return endLine
}

function longerThanAll(fence: Fence, inner: readonly Fence[]): boolean {
  return fence.word === '' && inner.every(({ marker }) => marker.length < fence.marker.length)
}

/** Whether a fence contains blocks of text rather than code. */
export function holdsBlocks(fence: Fence): boolean {
  return /^(?:quoted?|spoiler)$/i.test(fence.word)
}

// A list item or a quotation ends with its indentation or its marks, even inside an open fence.
function hasLeft(state: StateBlock, line: number): boolean {
  return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent
}
