import type { StateCore, Token } from 'markdown-it'
import { hrefOf } from './links.js'
import { type Rendering, renderingOf } from './rendering.js'
import { fileAt, pictureAttributes } from './uploaded-files.js'

// With more different addresses a message has no previews.
const mostAddresses = 24
const video = /\.(?:mp4|mov|webm)$/i

interface Link {
  readonly href: string
  readonly text: string
}

/** Core rule: pictures and videos to which the text links, as previews (docs/protocol/message-html.md#previews). */
export function addPreviews(state: StateCore): void {
  const rendering = renderingOf(state.env)
  if (!rendering.names.showsPreviews) return
  const blocks = outsideQuotes(state.tokens)
  const addresses = new Set([...blocks].flatMap(block => linksOf(block).map(link => link.href)))
  if (addresses.size === 0 || addresses.size > mostAddresses) return
  const placing = new Placing(state, rendering, blocks)
  state.tokens = placing.place()
}

/** The blocks of text that are in no quotation. */
function outsideQuotes(tokens: readonly Token[]): ReadonlySet<Token> {
  let quotes = 0
  const blocks = new Set<Token>()
  for (const token of tokens) {
    if (token.type === 'blockquote_open') quotes++
    else if (token.type === 'blockquote_close') quotes--
    else if (token.type === 'inline' && quotes === 0) blocks.add(token)
  }
  return blocks
}

function linksOf({ children }: Token): Link[] {
  const links: Link[] = []
  let open: { href: string; text: string } | undefined
  for (const token of children ?? []) {
    if (token.type === 'link_open') open = { href: String(token.attrGet('href') ?? ''), text: '' }
    else if (token.type === 'link_close' && open) {
      links.push(open)
      open = undefined
    } else if (open) open.text += token.content
  }
  return links
}

/** Puts the previews where clients expect them; each address has one. */
class Placing {
  readonly #shown = new Set<string>()
  readonly #out: Token[] = []
  /** Previews for the end of each open item of a list, and for the end of the message. */
  readonly #ends: Token[][] = [[]]

  constructor(
    private readonly state: StateCore,
    private readonly rendering: Rendering,
    private readonly blocks: ReadonlySet<Token>,
  ) {}

  place(): Token[] {
    const { tokens } = this.state
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.type === 'list_item_open') this.#ends.push([])
      if (token.type === 'list_item_close') this.#out.push(...(this.#ends.pop() ?? []))
      this.#out.push(token)
      if (!this.blocks.has(token)) continue
      const paragraph = tokens[i - 1]
      if (paragraph?.type !== 'paragraph_open') this.#ends[0]?.push(...this.#previewsOf(token))
      else if (paragraph.hidden) this.#inItem(token)
      else {
        this.#behindParagraph(token, tokens[i + 1] as Token)
        i++
      }
    }
    return [...this.#out, ...(this.#ends[0] ?? [])]
  }

  #inItem(block: Token): void {
    const isLone = this.#isLoneAddress(block)
    const previews = this.#previewsOf(block)
    if (isLone && previews.length > 0) block.children = []
    this.#ends.at(-1)?.push(...previews)
  }

  #behindParagraph(block: Token, close: Token): void {
    const isLone = this.#isLoneAddress(block)
    const previews = this.#previewsOf(block)
    if (isLone && previews.length > 0) this.#out.splice(-2)
    else this.#out.push(close)
    this.#out.push(...previews)
  }

  #isLoneAddress(block: Token): boolean {
    const [link, ...more] = linksOf(block)
    return link !== undefined && more.length === 0 && block.children?.length === 3 && this.#isItsAddress(link)
  }

  #isItsAddress({ href, text }: Link): boolean {
    return text === href || hrefOf(text, this.rendering.names.origin) === href
  }

  #previewsOf(block: Token): Token[] {
    return linksOf(block).flatMap(link => {
      if (this.#shown.has(link.href)) return []
      const tokens = this.#preview(link)
      if (tokens.length > 0) this.#shown.add(link.href)
      return tokens
    })
  }

  #preview(link: Link): Token[] {
    const file = fileAt(this.rendering.names, link.href)
    if (!file) return []
    const { path, type, picture } = file
    if (picture) {
      this.rendering.hasImage = true
      const img = this.#token('picture', 'img', 0, pictureAttributes(path, { type, picture }))
      return this.#framed('message_inline_image', link, [img])
    }
    if (!video.test(path)) return []
    const attributes: [string, string][] = [
      ['preload', 'metadata'],
      ['src', link.href],
    ]
    const player = [this.#token('video_open', 'video', 1, attributes), this.#token('video_close', 'video', -1)]
    return this.#framed('message_inline_image message_inline_video', link, player)
  }

  #framed(kind: string, link: Link, shown: readonly Token[]): Token[] {
    const title: [string, string][] = link.text === '' || this.#isItsAddress(link) ? [] : [['title', link.text]]
    return [
      this.#token('preview_open', 'div', 1, [['class', kind]]),
      this.#token('preview_link_open', 'a', 1, [['href', link.href], ...title]),
      ...shown,
      this.#token('preview_link_close', 'a', -1),
      this.#token('preview_close', 'div', -1),
    ]
  }

  #token(type: string, tag: string, nesting: -1 | 0 | 1, attrs: [string, string][] = []): Token {
    const token = new this.state.Token(type, tag, nesting)
    token.attrs = attrs
    return token
  }
}
