import { Parser } from 'htmlparser2'

// The parser needs time in proportion to the depth for each tag; the depth is looked at again after so many characters.
const mostDepth = 500
const stepCharacters = 4_096
// More than any message has; the rest of the mail is not read.
const mostMarkdown = 200_000

// Longer than that of code, which may be in a quotation.
const quoteFence = '````'

const invisible: ReadonlySet<string> = new Set(['head', 'script', 'style', 'title', 'template', 'noscript', 'svg'])
const blocks: ReadonlySet<string> = new Set(
  'address article aside div dl dt dd figure footer form header main p section table ul ol center'.split(' '),
)
const marks: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}

/** What mail programs put around the mail that is answered, and around signatures, by class or id. */
const quoteNames =
  /(?:^|\s)(?:gmail_quote|gmail_attr|gmail_extra|yahoo_quoted|moz-cite-prefix|protonmail_quote|appendonsend|divRplyFwdMsg|OLK_SRC_BODY_SECTION)(?:\s|$)/
const footerNames = /(?:^|\s)(?:gmail_signature|moz-signature|protonmail_signature_block)(?:\s|$)/

/** What of a mail stays. */
export interface Kept {
  readonly quotes: boolean
  readonly footer: boolean
}

/** The Markdown of the HTML of a mail. Takes time in proportion to the text, and less where it is nested too deeply. */
export function htmlToMarkdown(html: string, kept: Kept): string {
  const writer = new MarkdownWriter(kept)
  return writer.read(html)
}

class MarkdownWriter {
  private readonly parts: string[] = []
  private length = 0
  /** Names of open elements. */
  private readonly open: string[] = []
  /** Depth at which the element begins that is left out; undefined: none. */
  private leftOutAt: number | undefined
  private readonly links: { readonly href: string; readonly begin: number }[] = []
  private readonly lists: { count: number | undefined }[] = []
  private isPreformatted = false
  /** White space would show nothing: at the beginning of a line, behind other white space and behind the beginning of a mark. */
  private isAtBlank = true
  private quoteDepth = 0
  /** The rest is the mail that is answered. */
  private isOver = false
  private readonly parser = new Parser({
    onopentag: (name, attributes) => this.opened(name, attributes),
    ontext: text => this.text(text),
    onclosetag: name => this.closed(name),
  })

  constructor(private readonly kept: Kept) {}

  read(html: string): string {
    for (let at = 0; at < html.length && !this.isOver; at += stepCharacters) {
      this.parser.write(html.slice(at, at + stepCharacters))
      if (this.open.length > mostDepth || this.length > mostMarkdown) break
    }
    if (!this.isOver && this.open.length <= mostDepth) this.parser.end()
    return this.parts
      .join('')
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.open.push(name)
    if (this.leftOutAt !== undefined || this.isOver) return
    if (this.isLeftOut(name, attributes)) {
      this.leftOutAt = this.open.length
      return
    }
    if (name === 'br') this.add('\n')
    else if (name === 'hr') this.add('\n\n---\n\n')
    else if (/^h[1-6]$/.test(name)) this.add(`\n\n${'#'.repeat(Number(name[1]))} `)
    else if (name === 'pre') this.preformat(true)
    else if (name === 'blockquote') this.quote(1)
    else if (name === 'li') this.item()
    else if (name === 'tr') this.add('\n')
    else if (name === 'td' || name === 'th') this.add(' ')
    else if (name === 'a') this.links.push({ href: attributes.href ?? '', begin: this.parts.length })
    else if (name === 'img') this.add((attributes.alt ?? '').replace(/\s+/g, ' '))
    else if (marks[name] !== undefined) this.beginMark(marks[name])
    else if (blocks.has(name)) this.begin(name)
  }

  private closed(name: string): void {
    const depth = this.open.length
    this.open.pop()
    if (this.leftOutAt !== undefined) {
      if (depth <= this.leftOutAt) this.leftOutAt = undefined
      return
    }
    if (this.isOver) return
    if (name === 'pre') this.preformat(false)
    else if (name === 'blockquote') this.quote(-1)
    else if (name === 'a') this.link()
    else if (name === 'ul' || name === 'ol') this.endList()
    else if (marks[name] !== undefined) this.endMark(marks[name])
    else if (/^h[1-6]$/.test(name) || name === 'p' || name === 'table') this.add('\n\n')
    else if (blocks.has(name)) this.line()
  }

  private isLeftOut(
    name: string,
    { class: classes = '', id = '', type = '' }: Readonly<Record<string, string>>,
  ): boolean {
    if (invisible.has(name)) return true
    const names = `${classes} ${id}`
    if (!this.kept.footer && footerNames.test(names)) return true
    if (this.kept.quotes) return false
    // Outlook does not enclose the mail that is answered: this element begins it.
    if (/(?:^|\s)(?:appendonsend|divRplyFwdMsg)(?:\s|$)/.test(names)) this.isOver = true
    return quoteNames.test(names) || (name === 'blockquote' && type === 'cite')
  }

  private text(text: string): void {
    if (this.leftOutAt !== undefined || this.isOver) return
    if (this.isPreformatted) {
      this.add(text)
      return
    }
    const words = text.replace(/[\s\u00a0]+/g, ' ')
    this.add(this.isAtBlank ? words.trimStart() : words)
  }

  private begin(name: string): void {
    if (name === 'ul' || name === 'ol') this.lists.push({ count: name === 'ol' ? 0 : undefined })
    if (name === 'p' || name === 'table') this.add('\n\n')
    else this.line()
  }

  private line(): void {
    if (this.parts.length > 0 && !this.parts.at(-1)?.endsWith('\n')) this.add('\n')
  }

  private item(): void {
    const list = this.lists.at(-1)
    this.line()
    if (list?.count !== undefined) list.count++
    this.add(`${'  '.repeat(Math.max(0, this.lists.length - 1))}${list?.count === undefined ? '*' : `${list.count}.`} `)
  }

  private endList(): void {
    this.lists.pop()
    this.line()
    if (this.lists.length === 0) this.add('\n')
  }

  /** A quotation within one adds nothing: its end would be that of the outer one. */
  private quote(change: 1 | -1): void {
    if (change === -1) this.quoteDepth--
    if (this.quoteDepth === 0) this.add(change === 1 ? `\n\n${quoteFence}quote\n` : `\n${quoteFence}\n\n`)
    if (change === 1) this.quoteDepth++
  }

  private preformat(begins: boolean): void {
    this.isPreformatted = begins
    this.add(begins ? '\n\n```\n' : '\n```\n\n')
  }

  private beginMark(mark: string): void {
    this.add(mark)
    this.isAtBlank = true
  }

  /** White space before the end of bold text would be behind the mark. Nothing between two marks is no mark. */
  private endMark(mark: string): void {
    const last = this.parts.at(-1)
    if (last === mark) {
      this.parts.pop()
      return
    }
    const space = /\s+$/.exec(last ?? '')?.[0] ?? ''
    if (space && last !== undefined) this.parts[this.parts.length - 1] = last.slice(0, -space.length)
    this.add(mark + space)
  }

  private link(): void {
    const link = this.links.pop()
    if (!link || !/^(?:https?|mailto):/i.test(link.href)) return
    const label = this.parts.splice(link.begin).join('')
    const [href, text] = [link.href.replace(/[\s<>()]/g, encodeURIComponent), label.trim()]
    const address = href.replace(/^mailto:/i, '')
    // A label over several blocks, or one with brackets, cannot be the text of a link.
    if (text === '' || text === href || text === address) this.add(text === '' ? '' : address)
    else if (/[\n[\]]/.test(text)) this.add(`${label} (${href})`)
    else this.add(`${label.startsWith(' ') ? ' ' : ''}[${text}](${href})${label.endsWith(' ') ? ' ' : ''}`)
  }

  private add(text: string): void {
    if (text === '') return
    this.parts.push(text)
    this.isAtBlank = /\s$/.test(text)
    this.length += text.length
  }
}
