import { escapeAttribute, escapeText } from '../text/escape.js'
import type { Element, Piece } from './message-content.js'

const voids: ReadonlySet<string> = new Set(['br', 'hr'])

/** The HTML of what `readMessageContent` has read. */
export function contentHtml(pieces: readonly Piece[]): string {
  return pieces
    .map(piece => {
      if (typeof piece === 'string') return escapeText(piece)
      const attributes = Object.entries(piece.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
      const open = `<${piece.tag}${attributes.join('')}>`
      return voids.has(piece.tag) ? open : `${open}${contentHtml(piece.children)}</${piece.tag}>`
    })
    .join('')
}

const blocks: ReadonlySet<string> = new Set('blockquote h1 h2 h3 h4 h5 h6 hr li ol p pre table ul'.split(' '))

/** The same as text. */
export function contentText(pieces: readonly Piece[]): string {
  const parts: { text: string; isBlock: boolean }[] = []
  for (const piece of pieces) {
    const isBlock = isElement(piece) && blocks.has(piece.tag)
    const text = isBlock ? blockText(piece) : inlineText([piece])
    const last = parts.at(-1)
    if (last && !last.isBlock && !isBlock) last.text += text
    else parts.push({ text, isBlock })
  }
  const texts = parts.map(({ text, isBlock }) => (isBlock ? text : text.replace(/^ +| +$/gm, '').trim()))
  return texts.filter(text => text !== '').join('\n\n')
}

function blockText({ tag, attributes, children }: Element): string {
  switch (tag) {
    case 'hr':
      return '----'
    case 'pre':
      return inlineText(children).replace(/\n+$/, '')
    case 'blockquote':
      return prefixed(contentText(children), '> ', '> ')
    case 'ul':
    case 'ol':
      return listText(children, tag === 'ol' ? Number(attributes.start ?? 1) : undefined)
    case 'table':
      return rowsOf(children).join('\n')
    default:
      return contentText(children)
  }
}

const inlineText = (pieces: readonly Piece[]): string =>
  pieces
    .map(piece => {
      if (!isElement(piece)) return piece
      if (piece.tag === 'br') return '\n'
      const text = inlineText(piece.children)
      return piece.attributes.href === undefined ? text : linkText(text, piece.attributes.href)
    })
    .join('')

const linkText = (text: string, href: string): string =>
  text.trim() === '' || href === text || href.replace(/^(?:https?:\/\/|mailto:)/, '') === text
    ? href
    : `${text} <${href}>`

const prefixed = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? first : others) + line)
    .join('\n')

function listText(children: readonly Piece[], start: number | undefined): string {
  const items = children.filter(isElement)
  return items
    .map((item, at) => {
      const mark = start === undefined ? '* ' : `${start + at}. `
      return prefixed(contentText(item.children), mark, ' '.repeat(mark.length))
    })
    .join('\n')
}

function rowsOf(children: readonly Piece[]): string[] {
  return children.filter(isElement).flatMap(one =>
    one.tag === 'tr'
      ? [
          one.children
            .filter(isElement)
            .map(cell => contentText(cell.children))
            .join(' | '),
        ]
      : rowsOf(one.children),
  )
}

const isElement = (piece: Piece): piece is Element => typeof piece !== 'string'
