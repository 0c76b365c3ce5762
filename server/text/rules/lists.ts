import type { StateBlock } from 'markdown-it'
import { indentOf, startOf } from './block-tokens.js'

// Each level of a list is indented by two more spaces, after a number as after a bullet.
const indentPerLevel = 2
const marker = /([*+-]|\d{1,9}\.) +(?=\S)/y

interface Item {
  readonly isNumbered: boolean
  readonly marker: string
  /** Where the text of the item begins in the source. */
  readonly text: number
}

function itemAt(state: StateBlock, line: number): Item | undefined {
  if (indentOf(state, line) >= indentPerLevel) return undefined
  const start = startOf(state, line)
  marker.lastIndex = start
  const [found, mark = ''] = marker.exec(state.src) ?? []
  if (found === undefined) return undefined
  return { isNumbered: mark.endsWith('.'), marker: mark, text: start + found.length }
}

/** Block rule: `- item`, `* item`, `+ item` and `1. item` (docs/protocol/message-html.md#lists). */
export function lists(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const first = itemAt(state, startLine)
  if (!first) return false
  if (silent) return mayFollowText(state, startLine, first)
  const { isNumbered } = first
  const [type, tag] = isNumbered ? ['ordered_list', 'ol'] : ['bullet_list', 'ul']
  const opened = state.tokens.length
  const number = Number.parseInt(first.marker, 10)
  const open = state.push(`${type}_open`, tag ?? '', 1)
  if (isNumbered && number !== 1) open.attrs = [['start', String(number)]]
  const isTight = pushItems(state, first, startLine, endLine)
  state.push(`${type}_close`, tag ?? '', -1)
  if (isTight) hideParagraphs(state, opened)
  return true
}

/** Where a line break put a year or another long number at the start of a line, it begins no list. */
function mayFollowText(state: StateBlock, line: number, { isNumbered, marker }: Item): boolean {
  const isNextItem = state.listIndent >= 0 && (state.sCount[line] ?? 0) < state.listIndent + indentPerLevel
  return isNextItem || !isNumbered || marker.length === 2
}

/** @returns whether no blank line is between the items or their blocks */
function pushItems(state: StateBlock, first: Item, startLine: number, endLine: number): boolean {
  const { blkIndent, listIndent, parentType, tight } = state
  let isTight = true
  let endsBlank = false
  let line = startLine
  for (
    let item: Item | undefined = first;
    item?.isNumbered === first.isNumbered;
    item = nextItem(state, line, endLine)
  ) {
    state.push('list_item_open', 'li', 1)
    state.blkIndent = blkIndent + indentPerLevel
    state.listIndent = blkIndent
    state.parentType = 'list'
    state.tight = true
    pushBlocks(state, item, line, endLine)
    if (!state.tight || endsBlank) isTight = false
    endsBlank = state.line > line + 1 && state.isEmpty(state.line - 1)
    line = state.line
    state.blkIndent = blkIndent
    state.listIndent = listIndent
    state.parentType = parentType
    state.tight = tight
    state.push('list_item_close', 'li', -1)
  }
  return isTight
}

/** The blocks of an item. Its first line begins at the text behind the marker. */
function pushBlocks(state: StateBlock, { text }: Item, line: number, endLine: number): void {
  const { bMarks, tShift, sCount, blkIndent } = state
  const [mark = 0, shift = 0, count = 0] = [bMarks[line], tShift[line], sCount[line]]
  bMarks[line] = text
  tShift[line] = 0
  sCount[line] = blkIndent
  state.md.block.tokenize(state, line, endLine)
  bMarks[line] = mark
  tShift[line] = shift
  sCount[line] = count
}

function nextItem(state: StateBlock, line: number, endLine: number): Item | undefined {
  if (line >= endLine || indentOf(state, line) < 0) return undefined
  const endsList = state.md.block.ruler.getRules('list').some(rule => rule(state, line, endLine, true))
  return endsList ? undefined : itemAt(state, line)
}

/**
 * In a list without blank lines the text at the beginning of an item stands in it without a paragraph. Text after another block of the
 * item keeps its paragraph: clients expect blocks there.
 */
function hideParagraphs(state: StateBlock, opened: number): void {
  const level = state.level + 2
  let isFirst = false
  for (const token of state.tokens.slice(opened)) {
    if (token.level === level - 1) isFirst = token.type === 'list_item_open'
    if (token.level !== level) continue
    if (isFirst && token.type.startsWith('paragraph_')) token.hidden = true
    if (token.type !== 'paragraph_open') isFirst = false
  }
}
