import { firstText, inside, type Loose, listOf, recordOf, textOf } from '../loose.js'
import { plain } from './plain-text.js'
import { broadcastText, linkText, type SlackNames } from './slack-names.js'

/** A part of a message, with the kind that decides how it is set apart from its neighbours. */
interface Part {
  readonly kind: 'text' | 'list' | 'code' | 'quote'
  readonly markdown: string
  /** The depth of a list. */
  readonly depth: number
  readonly isOrdered: boolean
}

/** The Markdown of a block of type `rich_text`. */
export function richText(block: Loose, names: SlackNames): string {
  const parts = listOf(block.elements).flatMap(element => partOf(inside(element), names) ?? [])
  let outer: Part | undefined
  let markdown = ''
  parts.forEach((part, i) => {
    const before = parts[i - 1]
    markdown += (before ? gapBetween(before, part, outer) : '') + part.markdown
    if (part.depth === 0) outer = part
  })
  return markdown
}

/**
 * A quote takes the lines that follow, and a list the text, unless an empty line ends them. A list within another one continues it, and so
 * does the rest of the outer one.
 */
function gapBetween(before: Part, part: Part, outer: Part | undefined): string {
  const continues =
    before.kind === 'list' &&
    part.kind === 'list' &&
    (part.depth > 0 || (before.depth > 0 && outer?.isOrdered === part.isOrdered))
  const ends = before.kind === 'quote' || before.kind === 'list'
  return ends && !continues ? '\n\n' : '\n'
}

function partOf(element: Loose, names: SlackNames): Part | undefined {
  const facts = { depth: wholeNumber(element.indent), isOrdered: element.style === 'ordered' }
  switch (element.type) {
    case 'rich_text_section':
      return { kind: 'text', markdown: inline(element, names).replace(/\n+$/, ''), ...facts }
    case 'rich_text_list':
      return { kind: 'list', markdown: listText(element, facts.depth, names), ...facts }
    case 'rich_text_quote':
      return { kind: 'quote', markdown: inline(element, names).trimEnd().replace(/^/gm, '> '), ...facts }
    case 'rich_text_preformatted':
      return { kind: 'code', markdown: codeBlock(codeOf(element)), ...facts }
  }
  return undefined
}

function listText(element: Loose, depth: number, names: SlackNames): string {
  const first = wholeNumber(element.offset) + 1
  const blanks = '  '.repeat(Math.min(depth, 8))
  return listOf(element.elements)
    .map((item, i) => {
      const mark = element.style === 'ordered' ? `${first + i}.` : '*'
      return `${blanks}${mark} ${inline(inside(item), names).trim().replaceAll('\n', `\n${blanks}  `)}`
    })
    .join('\n')
}

const wholeNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1_000_000 ? value : 0

/** Code in a fence that is longer than every fence in it. */
export function codeBlock(code: string): string {
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code.replace(/\n$/, '')}\n${fence}`
}

const codeOf = (element: Loose): string =>
  listOf(element.elements)
    .map(one => firstText(inside(one).text, inside(one).url))
    .join('')

const inline = (element: Loose, names: SlackNames): string =>
  listOf(element.elements)
    .map(one => {
      const part = recordOf(one)
      return part ? inlinePart(part, names) : ''
    })
    .join('')

function inlinePart(part: Loose, names: SlackNames): string {
  const text = textOf(part.text)
  switch (part.type) {
    case 'text':
      return styled(text, inside(part.style))
    case 'link':
      return linkText(names, textOf(part.url), text)
    case 'user':
      return names.user(firstText(part.user_id), '')
    case 'usergroup':
      return names.group(firstText(part.usergroup_id), '')
    case 'channel':
      return names.channel(firstText(part.channel_id), '')
    case 'emoji':
      return emojiText(part, names)
    case 'broadcast':
      return broadcastText(firstText(part.range), names)
    case 'date':
      return dateText(part)
    case 'color':
      return textOf(part.value)
  }
  return plain(text)
}

function emojiText(part: Loose, names: SlackNames): string {
  const codes = textOf(part.unicode)
    .split('-')
    .map(code => Number.parseInt(code, 16))
  const isKnown = codes.every(code => code > 0 && code <= 0x10ffff)
  return isKnown ? String.fromCodePoint(...codes) : names.emoji(firstText(part.name))
}

function dateText(part: Loose): string {
  const time = new Date(Number(part.timestamp) * 1000)
  if (Number.isNaN(time.getTime())) return plain(textOf(part.fallback))
  return `<time:${time.toISOString().replace('.000Z', 'Z')}>`
}

function styled(text: string, style: Loose): string {
  if (style.code === true) return inlineCode(text)
  const marks = [style.strike === true ? '~~' : '', style.bold === true ? '**' : '', style.italic === true ? '*' : '']
  const open = marks.join('')
  if (open === '') return plain(text)
  const close = marks.toReversed().join('')
  // Marks hold within a line, and not beside white space.
  return text.replace(/[^\n]+/g, line => {
    const inner = line.trim()
    if (inner === '') return line
    const [before = '', after = ''] = [
      line.slice(0, line.indexOf(inner)),
      line.slice(line.indexOf(inner) + inner.length),
    ]
    return `${before}${open}${plain(inner)}${close}${after}`
  })
}

/** Code on one line, in more backticks than it has itself. */
function inlineCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const marks = '`'.repeat(longest + 1)
  return text.replace(/[^\n]+/g, line => (longest > 0 ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`))
}
