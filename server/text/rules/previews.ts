import type { StateCore, Token } from 'markdown-it'
import { budgets } from '../../config/budgets.js'
import { tokensOf } from '../elements.js'
import { hrefOf } from './links.js'
import { framed, mediaPreview } from './media-previews.js'
import { type Rendering, renderingOf } from './rendering.js'
import { websitePreview } from './website-previews.js'

interface Link {
  readonly href: string
  readonly text: string
}

/** Core rule: previews of what the text links to (docs/protocol/message-html.md#previews). */
export function addPreviews(state: StateCore): void {
  const rendering = renderingOf(state.env)
  if (!rendering.names.showsPreviews && !rendering.names.showsWebsites) return
  const blocks = outsideQuotes(state.tokens)
  const addresses = new Set([...blocks].flatMap(block => linksOf(block).map(link => link.href)))
  if (addresses.size === 0 || addresses.size > budgets.addressesPreviewed.most) return
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

interface Previews {
  readonly tokens: readonly Token[]
  /** One of them takes the place of a text that is nothing but its address. */
  readonly replaces: boolean
}

/** Puts the previews where clients expect them; each address has one. */
class Placing {
  private readonly shown = new Set<string>()
  private readonly out: Token[] = []
  /** Previews for the end of each open item of a list, and for the end of the message. */
  private readonly ends: Token[][] = [[]]
  private readonly websites: Token[] = []

  constructor(
    private readonly state: StateCore,
    private readonly rendering: Rendering,
    private readonly blocks: ReadonlySet<Token>,
  ) {}

  place(): Token[] {
    const { tokens } = this.state
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.type === 'list_item_open') this.ends.push([])
      if (token.type === 'list_item_close') this.out.push(...(this.ends.pop() ?? []))
      this.out.push(token)
      if (!this.blocks.has(token)) continue
      const paragraph = tokens[i - 1]
      if (paragraph?.type !== 'paragraph_open') this.ends[0]?.push(...this.previewsOf(token).tokens)
      else if (paragraph.hidden) this.inItem(token)
      else {
        this.behindParagraph(token, tokens[i + 1] as Token)
        i++
      }
    }
    return [...this.out, ...(this.ends[0] ?? []), ...this.websites]
  }

  private inItem(block: Token): void {
    const isLone = this.isLoneAddress(block)
    const { tokens, replaces } = this.previewsOf(block)
    if (isLone && replaces) block.children = []
    this.ends.at(-1)?.push(...tokens)
  }

  private behindParagraph(block: Token, close: Token): void {
    const isLone = this.isLoneAddress(block)
    const { tokens, replaces } = this.previewsOf(block)
    if (isLone && replaces) this.out.splice(-2)
    else this.out.push(close)
    this.out.push(...tokens)
  }

  private isLoneAddress(block: Token): boolean {
    const [link, ...more] = linksOf(block)
    return link !== undefined && more.length === 0 && block.children?.length === 3 && this.isItsAddress(link)
  }

  private isItsAddress({ href, text }: Link): boolean {
    return text === href || hrefOf(text, this.rendering.names.origin) === href
  }

  private previewsOf(block: Token): Previews {
    const previews = linksOf(block).flatMap(link => {
      if (this.shown.has(link.href)) return []
      const title = link.text === '' || this.isItsAddress(link) ? '' : link.text
      const preview = mediaPreview(this.rendering.names, link.href)
      if (!preview) {
        this.addWebsite(link.href)
        return []
      }
      this.shown.add(link.href)
      if (!this.rendering.names.showsPreviews) return []
      if (preview.isImage) this.rendering.hasImage = true
      return [{ ...preview, tokens: tokensOf(this.state, framed(preview, link.href, title)) }]
    })
    return { tokens: previews.flatMap(preview => preview.tokens), replaces: previews.some(preview => preview.replaces) }
  }

  /** Websites stand at the end of the message, in the order of their links. */
  private addWebsite(href: string): void {
    const { names, websites } = this.rendering
    if (!names.showsWebsites || names.external(href) === undefined) return
    this.shown.add(href)
    websites.add(href)
    const preview = websitePreview(names, href)
    if (!preview) return
    this.rendering.hasImage = true
    this.websites.push(...tokensOf(this.state, preview))
  }
}
