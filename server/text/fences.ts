import type { StateBlock } from 'markdown-it'

/** A line that opens or closes a block: its marker, its indentation, and the info words after the marker. */
export interface Fence {
  marker: string
  indent: number
  info: string
}

const opening = /^(`{3,}|~{3,})[ \t]*(.*)$/

/** The fence on a line of the source, if there is one. */
export function fenceAt(state: StateBlock, line: number): Fence | undefined {
  const indent = state.sCount[line] ?? 0
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
  const first = state.src.charCodeAt(start)
  if ((first !== 0x60 && first !== 0x7e) || indent - state.blkIndent >= 4) return undefined
  const [, marker = '', rest = ''] = opening.exec(state.src.slice(start, state.eMarks[line])) ?? []
  const info = rest.trim()
  // ```code``` on one line is inline code.
  return marker === '' || info.includes('`') ? undefined : { marker, indent, info }
}

function closes(fence: Fence, open: Fence): boolean {
  return fence.info === '' && fence.marker.startsWith(open.marker)
}

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
 * marker: a fence with an info word opens a block, one without closes the block opened last. An unclosed inner block
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
  return fence.info === '' && inner.every(({ marker }) => marker.length < fence.marker.length)
}

/** Whether a fence contains blocks of text rather than code. */
export function holdsBlocks(fence: Fence): boolean {
  return /^(?:quote|spoiler)\b/i.test(fence.info)
}

// A list item or a quotation ends with its indentation or its marks, even inside an open fence.
function hasLeft(state: StateBlock, line: number): boolean {
  return !state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent
}
