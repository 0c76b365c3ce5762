import type { StateBlock } from 'markdown-it'

/** Adds a paragraph with this text; nothing if it is empty. */
export function pushParagraph(state: StateBlock, text: string): void {
  if (text === '') return
  state.push('paragraph_open', 'p', 1)
  pushInline(state, text)
  state.push('paragraph_close', 'p', -1)
}

/** Adds text whose inline markup is parsed later. */
export function pushInline(state: StateBlock, text: string): void {
  const inline = state.push('inline', '', 0)
  inline.content = text
  inline.children = []
}

/** Where the text of a line begins in the source, without its indentation. */
export const startOf = (state: StateBlock, line: number): number =>
  (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)

/** The text of a line without its indentation. */
export const textOf = (state: StateBlock, line: number): string =>
  state.src.slice(startOf(state, line), state.eMarks[line])

/** How far a line is indented within its list item or quotation; negative where it has left it. */
export const indentOf = (state: StateBlock, line: number): number => (state.sCount[line] ?? 0) - state.blkIndent
