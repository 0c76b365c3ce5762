/** A stretch of the text, and the part of the HTML that shows it. */
export interface Shown {
  readonly at: number
  readonly from: number
  readonly to: number
  /** A character reference: its HTML cannot be cut. */
  readonly isReference: boolean
}

/** What people see of rendered content. */
export interface HtmlText {
  /** A line feed stands for each end of a block. */
  readonly text: string
  readonly shown: readonly Shown[]
  /** Texts that are seen elsewhere or on demand: targets and titles of links, descriptions of images. */
  readonly further: readonly string[]
}

const pieces = /<(\/?)([a-z][a-z0-9-]*)([^>]*)>|&(#x?[0-9a-f]+|[a-z]+);|[^<&]+|[<&]/gi
const inline: ReadonlySet<string> = new Set([
  'a',
  'b',
  'strong',
  'em',
  'i',
  'del',
  's',
  'code',
  'span',
  'time',
  'kbd',
  'sup',
  'sub',
  'u',
  'mark',
  'font',
])
const empty: ReadonlySet<string> = new Set(['br', 'img', 'hr', 'input', 'source', 'wbr'])
const notWritten = /\bclass="[^"]*\b(?:message_inline_image|message_embed|katex-html)\b/
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Reads the HTML that the server renders. Previews are left out: they show no words of the author. Of a formula, its source is read. */
export function textOfHtml(html: string): HtmlText {
  const shown: Shown[] = []
  const further: string[] = []
  let text = ''
  let target: { readonly href: string; readonly at: number } | undefined
  let skipped = 0
  for (const piece of html.matchAll(pieces)) {
    const [source, slash, tag, attributes = '', reference] = piece
    const from = piece.index
    if (skipped > 0) {
      if (tag && !isEmpty(tag, attributes)) skipped += slash ? -1 : 1
      continue
    }
    if (tag === undefined) {
      const seen = reference === undefined ? source : characterOf(reference)
      shown.push({ at: text.length, from, to: from + source.length, isReference: reference !== undefined })
      text += seen
      continue
    }
    if (!inline.has(tag)) text += '\n'
    if (slash) {
      if (tag === 'a' && target) {
        addTarget(further, target.href, text.slice(target.at))
        target = undefined
      }
      continue
    }
    if (notWritten.test(attributes)) skipped = 1
    else if (tag === 'math') {
      skipped = 1
      further.push(sourceOfFormula(html, from))
    } else if (tag === 'a') target = { href: attributeOf(attributes, 'href'), at: text.length }
    if (tag === 'img') further.push(attributeOf(attributes, 'alt'))
    else if (tag === 'span') further.push(emojiOf(attributes))
    if (tag === 'img' || tag === 'a') further.push(attributeOf(attributes, 'title'))
  }
  return { text, shown, further: further.filter(one => one !== '') }
}

const isEmpty = (tag: string, attributes: string): boolean => empty.has(tag) || attributes.endsWith('/')

function characterOf(reference: string): string {
  if (reference[0] !== '#') return named[reference.toLowerCase()] ?? ' '
  const code =
    reference[1] === 'x' || reference[1] === 'X' ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

const decoded = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (_, one: string) => characterOf(one))

function attributeOf(attributes: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined ? '' : decoded(value)
}

/** An emoji, which the text names. */
function emojiOf(attributes: string): string {
  const codes = /\bclass="emoji emoji-([0-9a-f-]+)"/.exec(attributes)?.[1]
  return codes === undefined ? '' : String.fromCodePoint(...codes.split('-').map(code => Number.parseInt(code, 16)))
}

function sourceOfFormula(html: string, from: number): string {
  const begin = html.indexOf('<annotation', from)
  const start = html.indexOf('>', begin) + 1
  const end = html.indexOf('</annotation>', start)
  return begin < 0 || end < 0 ? '' : decoded(html.slice(start, end))
}

/** Where a link leads, unless its text says it or it leads into the organization. Of an upload, the name of the file. */
function addTarget(further: string[], href: string, text: string): void {
  if (href === '' || href.startsWith('#') || href.startsWith('/#')) return
  const named = href.startsWith('/user_uploads/')
    ? href.slice(href.lastIndexOf('/') + 1)
    : href.replace(/^(?:https?:\/\/|mailto:)/, '')
  const target = unescaped(named)
  if (!text.includes(target) && !text.includes(named)) further.push(target)
}

function unescaped(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
