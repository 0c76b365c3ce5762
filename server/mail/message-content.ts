import { Parser } from 'htmlparser2'

/** A part of a message that mails show: an element of the allow-list, or text. */
export type Piece = string | Element

export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Piece[]
}

/** What replaces parts of a message that a mail does not show as they are. */
export interface Replacements {
  /** Public address of the server, without a trailing slash: links become absolute. */
  readonly url: string
  /** In place of what a spoiler hides. */
  readonly spoiler: string
  /** A time in ISO 8601, in words. */
  readonly time: (iso: string) => string
}

const kept: ReadonlySet<string> = new Set(
  'blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul'.split(' '),
)
// Their content takes their place. Every other element is left out with its content.
const transparent: ReadonlySet<string> = new Set('a annotation audio div img math semantics span time video'.split(' '))
const withoutContent = /(?:^| )(?:katex-html|message_embed)(?: |$)/
const alignment = /^text-align: (?:left|center|right);$/
const openable = /^(?:https?|ftp|mailto|tel):/i

/**
 * Reads the HTML of a message (docs/protocol/message-html.md) for a mail: elements of an allow-list, with absolute links, links in place of
 * pictures, sounds and videos, characters in place of pictures of emoji, and formulas as their source. Spoilers stay hidden.
 */
export function readMessageContent(html: string, replacements: Replacements): Piece[] {
  const reader = new Reader(replacements)
  const parser = new Parser({
    onopentag: (tag, attributes) => reader.opened(tag, attributes),
    ontext: text => reader.text(text),
    onclosetag: () => reader.closed(),
  })
  parser.end(html)
  return reader.pieces
}

/** An element that is open in the source. `into` gets its content; undefined: it is left out. */
interface Open {
  readonly into: Piece[] | undefined
  readonly attributes: Readonly<Record<string, string>>
  readonly isPreformatted: boolean
}

class Reader {
  readonly pieces: Piece[] = []
  private readonly open: Open[] = [{ into: this.pieces, attributes: {}, isPreformatted: false }]

  constructor(private readonly replacements: Replacements) {}

  opened(tag: string, attributes: Readonly<Record<string, string>>): void {
    const { into, isPreformatted } = this.innermost
    const content = into && this.contentOf(tag, attributes, into)
    this.open.push({ into: content, attributes, isPreformatted: isPreformatted || tag === 'pre' })
  }

  text(text: string): void {
    const { into, isPreformatted } = this.innermost
    into?.push(isPreformatted ? text : text.replace(/\s+/g, ' '))
  }

  closed(): void {
    if (this.open.length > 1) this.open.pop()
  }

  private get innermost(): Open {
    return this.open.at(-1) ?? { into: undefined, attributes: {}, isPreformatted: false }
  }

  /** Where the content of an element goes; undefined: nowhere, since what stands for it is in place. */
  private contentOf(tag: string, attributes: Open['attributes'], into: Piece[]): Piece[] | undefined {
    const { class: names = '' } = attributes
    if (withoutContent.test(names)) return undefined
    if (kept.has(tag)) return put(into, tag, ownAttributes(attributes))
    if (!transparent.has(tag)) return undefined
    if (tag === 'a') return this.link(attributes.href ?? '', into)
    if (tag === 'annotation') return put(into, 'code')
    if (tag === 'div') return this.block(names, into)
    const instead = this.textInstead(tag, names, attributes)
    if (instead === undefined) return into
    if (instead !== '') into.push(instead)
    return undefined
  }

  private block(names: string, into: Piece[]): Piece[] | undefined {
    if (names === 'spoiler-block') return put(into, 'blockquote')
    if (names === 'spoiler-content') put(into, 'p').push(this.replacements.spoiler)
    if (names === 'spoiler-content') return undefined
    return names.includes('message_inline_image') ? put(into, 'p') : into
  }

  /** The text, or the link, that stands for an element; undefined: its content does. */
  private textInstead(tag: string, names: string, attributes: Open['attributes']): Piece | undefined {
    if (tag === 'time') return this.replacements.time(attributes.datetime ?? '')
    const emoji = tag === 'span' ? /(?:^| )emoji-([0-9a-f]+(?:-[0-9a-f]+)*)$/.exec(names)?.[1] : undefined
    if (emoji !== undefined) return characterOf(emoji)
    if (tag === 'img' && names === 'emoji') return attributes.alt ?? ''
    return tag === 'img' || tag === 'audio' || tag === 'video' ? this.media(attributes) : undefined
  }

  /** A picture, sound or video: the name of the file, as a link unless it is in one. */
  private media({ alt, title, src = '', ...more }: Open['attributes']): Piece {
    const around = this.innermost.attributes
    const address = around.href ?? more['data-original-src'] ?? more['data-original-url'] ?? src
    const name = [alt, title, around.title, fileName(address)].find(one => one !== undefined && one.trim() !== '')
    if (around.href !== undefined) return name ?? address
    const link: Piece[] = []
    this.link(address, link).push(name ?? address)
    return link[0] ?? ''
  }

  private link(href: string, into: Piece[]): Piece[] {
    const { url } = this.replacements
    if (href.startsWith('#')) return put(into, 'a', { href: `${url}/${href}` })
    if (href.startsWith('/') && !href.startsWith('//')) return put(into, 'a', { href: `${url}${href}` })
    return openable.test(href) ? put(into, 'a', { href }) : into
  }
}

function put(into: Piece[], tag: string, attributes: Readonly<Record<string, string>> = {}): Piece[] {
  const children: Piece[] = []
  into.push({ tag, attributes, children })
  return children
}

const ownAttributes = ({ style, start }: Open['attributes']): Record<string, string> => ({
  ...(style !== undefined && alignment.test(style) && { style }),
  ...(start !== undefined && /^\d{1,9}$/.test(start) && { start }),
})

/** The character of hexadecimal code points that hyphens join. */
function characterOf(codes: string): string {
  const points = codes.split('-').map(one => Number.parseInt(one, 16))
  return points.every(one => one <= 0x10ffff) ? String.fromCodePoint(...points) : ''
}

function fileName(address: string): string {
  const name = address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
