/** A text and what is selected in it, in UTF-16 units as in a text box. */
export interface Selected {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Replaces the text from `from` to `to` and then selects from `start` to `end`. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly start: number
  readonly end: number
}

export type Format = 'bold' | 'italic' | 'strike' | 'link' | 'code' | 'quote' | 'list' | 'numbers'

const marks = { bold: '**', italic: '*', strike: '~~' } as const

/** The change that gives the selected text a format, or takes it away. */
export function format(selected: Selected, wanted: Format): Change {
  switch (wanted) {
    case 'bold':
    case 'italic':
    case 'strike':
      return wrap(selected, marks[wanted])
    case 'link':
      return link(selected)
    case 'code':
      return code(selected)
    case 'quote':
      return prefixLines(selected, () => '> ', /^> ?/)
    case 'list':
      return prefixLines(selected, () => '- ', /^[-*+] /)
    case 'numbers':
      return prefixLines(selected, index => `${index + 1}. `, /^\d+[.)] /)
  }
}

/** Whether exactly these marks are around a part of the text: one asterisk of two is no mark of its own. */
function isBetween({ text, start, end }: Selected, mark: string): boolean {
  const [first = ''] = mark
  const runBefore = text.slice(0, start).length - text.slice(0, start).replace(endRun(first), '').length
  const runAfter = text.slice(end).length - text.slice(end).replace(startRun(first), '').length
  const has = (run: number) => (mark === '*' ? run === 1 || run === 3 : run >= mark.length)
  return has(runBefore) && has(runAfter)
}

const endRun = (sign: string): RegExp => (sign === '*' ? /\*+$/ : /~+$/)
const startRun = (sign: string): RegExp => (sign === '*' ? /^\*+/ : /^~+/)

function wrap(selected: Selected, mark: string): Change {
  const { text, start, end } = trimmed(selected)
  const inner = text.slice(start, end)
  const width = mark.length
  if (isBetween({ text, start, end }, mark))
    return { from: start - width, to: end + width, insert: inner, start: start - width, end: end - width }
  const isInside = inner.length > 2 * width && isBetween({ text: inner, start: width, end: inner.length - width }, mark)
  if (isInside && inner.startsWith(mark) && inner.endsWith(mark))
    return { from: start, to: end, insert: inner.slice(width, -width), start, end: end - 2 * width }
  return { from: start, to: end, insert: mark + inner + mark, start: start + width, end: end + width }
}

/** Without white space at its ends, which Markdown allows inside of no marks. */
function trimmed({ text, start, end }: Selected): Selected {
  const inner = text.slice(start, end)
  if (inner.trim() === '') return { text, start, end }
  return {
    text,
    start: start + inner.length - inner.trimStart().length,
    end: end - (inner.length - inner.trimEnd().length),
  }
}

function link(selected: Selected): Change {
  const { text, start, end } = trimmed(selected)
  const inner = text.slice(start, end)
  if (/^https?:\/\/\S+$/.test(inner))
    return { from: start, to: end, insert: `[](${inner})`, start: start + 1, end: start + 1 }
  const at = start + inner.length + 3
  return { from: start, to: end, insert: `[${inner}](https://)`, start: at, end: at + 'https://'.length }
}

/** Within a line as inline code, otherwise as a block. */
function code({ text, start, end }: Selected): Change {
  const inner = text.slice(start, end)
  if (inner.includes('\n')) return codeBlock({ text, start, end })
  const runs = inner.match(/`+/g) ?? []
  const mark = '`'.repeat(runs.some(run => run.length === 1) ? 2 : 1)
  const space = inner.startsWith('`') || inner.endsWith('`') ? ' ' : ''
  const before = mark + space
  return {
    from: start,
    to: end,
    insert: before + inner + space + mark,
    start: start + before.length,
    end: end + before.length,
  }
}

/** A fence longer than any in the text, on lines of its own. */
export function codeBlock({ text, start, end }: Selected): Change {
  const inner = text.slice(start, end).replace(/^\n+|\s+$/g, '')
  const longest = Math.max(2, ...(inner.match(/`{3,}/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const before = start > 0 && text[start - 1] !== '\n' ? '\n' : ''
  const after = end < text.length && text[end] !== '\n' ? '\n' : ''
  const insert = `${before}${fence}\n${inner}\n${fence}${after}`
  const at = start + insert.length - after.length
  return { from: start, to: end, insert, start: at, end: at }
}

/** Puts the prefix before each selected line; if all lines have it, takes it away. */
function prefixLines({ text, start, end }: Selected, prefix: (index: number) => string, known: RegExp): Change {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const stop = text.indexOf('\n', Math.max(start, end - (text[end - 1] === '\n' && end > start ? 1 : 0)))
  const to = stop < 0 ? text.length : stop
  const lines = text.slice(from, to).split('\n')
  const isSet = lines.every(line => known.test(line))
  const insert = lines.map((line, index) => (isSet ? line.replace(known, '') : prefix(index) + line)).join('\n')
  const last = from + insert.length
  return { from, to, insert, start: start === end ? last : from, end: last }
}

const listLine = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>)) (.*)$/

/**
 * What a new line does in a list or a quote: the next line begins alike, with the next number; in an empty entry it ends
 * the list. Undefined: nothing but a new line.
 */
export function continueList(text: string, at: number): Change | undefined {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(from, at)
  const found = listLine.exec(before)
  if (!found || isInCode(text, at)) return undefined
  const [, indent = '', bullet, number, sign = '', quote, words = ''] = found
  const isEmpty = words.trim() === '' && /^(?:\n|$)/.test(text.slice(at))
  if (isEmpty) return { from, to: at, insert: '', start: from, end: from }
  const mark = bullet ?? quote ?? `${Number(number) + 1}${sign}`
  const insert = `\n${indent}${mark} `
  return { from: at, to: at, insert, start: at + insert.length, end: at + insert.length }
}

/** Whether a position is in a block of code that a fence before it began. */
export function isInCode(text: string, at: number): boolean {
  let open = ''
  for (const line of text.slice(0, at).split('\n')) {
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (!fence) continue
    if (open === '') open = fence
    else if (fence.startsWith(open)) open = ''
  }
  return open !== ''
}

// What ends or begins a line of a program, or is in it, and in prose hardly ever.
const codeSigns =
  /[{};]\s*$|^\s*(?:[})\]]|#!|\/\/|\/\*|<\/?\w|@\w+\()|=>|[=!<>]=|\w\(\S*\)|^\s*(?:def|class|if|for|while|return|import|from|const|let|var|function|fn|func|public|private|select|insert)\b.*[:({;]?|^(?: {2,}|\t)\S/

/** Whether a pasted text is probably a program or its output: several lines, more than half of which look like code. */
export function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length < 2 || lines.some(line => /^\s*(?:`{3,}|~{3,})/.test(line))) return false
  return lines.filter(line => codeSigns.test(line)).length * 2 > lines.length
}
