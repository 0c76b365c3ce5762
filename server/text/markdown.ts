import markdownIt, { type MarkdownIt, type StateCore } from 'markdown-it'
import { budgets } from '../config/budgets.js'
import { channelLinks } from './channel-links.js'
import { codeBlock } from './code-blocks.js'
import { emojiCharacter, namedEmoji } from './emoji-syntax.js'
import { hasEmoticons, translateEmoticons } from './emoticons.js'
import { fencedBlocks, plainWhenDeep } from './fenced-blocks.js'
import { applyLinkifiers, findLinks } from './linkifiers.js'
import { bareLink, completeUrl, mayLinkTo } from './links.js'
import { inlineFormula, inlineMaths } from './maths.js'
import { mentions } from './mentions.js'
import { type Names, noNames } from './names.js'
import { isPlain, plainText } from './plain-text.js'
import { type Rendering, renderingOf, startRendering } from './rendering.js'
import { keepTokensSafe } from './safe-tokens.js'
import { fillPlaces, type PlacedPart } from './slow-parts.js'
import { timestamps } from './timestamps.js'
import { isTooComplex } from './too-complex.js'

export type { Found, Linkifier, Names } from './names.js'
export { topicLinks } from './topic-links.js'

/** The HTML of a message, and the properties of the message that follow from its text. */
export interface Rendered {
  html: string
  mentions: { userIds: number[]; groupIds: number[]; channelWildcard: boolean; topicWildcard: boolean }
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  isMeMessage: boolean
}

/** Stored with the HTML: raise it when the same text would render differently. */
export const RENDERER_VERSION = 4

const parser = build()

/** A message whose formulas and code are still to be rendered. */
export interface Unfinished {
  readonly parts: readonly PlacedPart[]
  /** The message with these parts; null: the part is shown as plain text. */
  finish(rendered: readonly (string | null)[]): Rendered
}

/** Renders the text of a message, but for its formulas and code: they may take long, so threads render them. */
export function beginRendering(content: string, names: Names): Unfinished {
  const rendering = startRendering(names)
  const html = renderHtml(content, rendering)
  const { parts } = rendering
  return { parts, finish: rendered => resultOf(content, fillPlaces(html, parts, rendered), rendering) }
}

/** Renders the text of a message to HTML in which all text is escaped; formulas and code are shown as typed. */
export function renderMessage(content: string, names: Names): Rendered {
  return beginRendering(content, names).finish([])
}

function resultOf(content: string, html: string, rendering: Rendering): Rendered {
  const isParagraph = html.startsWith('<p>') && html.indexOf('</p>') === html.length - 4
  return {
    html,
    mentions: {
      userIds: [...rendering.userIds],
      groupIds: [...rendering.groupIds],
      channelWildcard: rendering.channelWildcard,
      topicWildcard: rendering.topicWildcard,
    },
    hasLink: rendering.hasLink,
    hasImage: rendering.hasImage,
    hasAttachment: rendering.hasAttachment,
    isMeMessage: content.startsWith('/me ') && isParagraph,
  }
}

/** Renders a channel's description or another short text: one paragraph without mentions or lookups of names. */
export function renderDescription(text: string): string {
  return renderMessage(text.trim().replace(/\s*\n\s*/g, ' '), noNames).html
}

function renderHtml(content: string, rendering: Rendering): string {
  // Text without any markup does not need the parser; the linkifiers get it as the parser would pass it on.
  if (isPlain(content) && !(rendering.names.translatesEmoticons && hasEmoticons(content))) {
    rendering.plain = { text: content, links: findLinks(content, rendering.names, rendering.budget) }
    if (rendering.plain.links.length === 0) return `<p>${content}</p>`
  }
  if (isTooComplex(content)) return asTyped(content)
  const html = parser.render(content, { rendering }).trimEnd()
  if (fits(html)) return html
  rendering.parts.length = 0
  return asTyped(content)
}

// A UTF-16 unit takes at most three bytes, so most texts need no counting.
const fits = (html: string): boolean =>
  html.length * 3 <= budgets.renderedBytes.most || Buffer.byteLength(html) <= budgets.renderedBytes.most

function asTyped(content: string): string {
  return `<p>${parser.utils.escapeHtml(content).replace(/\n/g, '<br>\n')}</p>`
}

/** Built once: the parser keeps no state between texts, and rules get the names with each text. */
function build(): MarkdownIt {
  const md = markdownIt({ html: false, breaks: true, maxNesting: 50 })
  md.validateLink = mayLinkTo
  const { normalizeLink } = md
  md.normalizeLink = url => normalizeLink.call(md, completeUrl(url))
  // Underlined headings and link definitions surprise users of a chat; backslashes are typed as text far more often
  // than as escapes; images from other hosts would reveal to them who reads a message.
  md.disable(['lheading', 'reference', 'escape', 'image', 'linkify', 'html_block', 'html_inline'])
  addBlockRules(md)
  addInlineRules(md)
  md.core.ruler.at('inline', parseInline)
  md.core.ruler.push('linkifiers', applyLinkifiers)
  md.core.ruler.push('emoticons', translateEmoticons)
  md.core.ruler.push('safe_tokens', keepTokensSafe)
  md.renderer.rules.s_open = () => '<del>'
  md.renderer.rules.s_close = () => '</del>'
  md.renderer.rules.maths = inlineFormula
  md.renderer.rules.fence = codeBlock
  md.renderer.rules.code_block = codeBlock
  return md
}

function addBlockRules(md: MarkdownIt): void {
  md.block.ruler.before('table', 'plain_when_deep', plainWhenDeep)
  md.block.ruler.at('fence', fencedBlocks, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function addInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline
  ruler.at('text', plainText)
  ruler.after('text', 'emoji_character', emojiCharacter)
  ruler.after('text', 'named_emoji', namedEmoji)
  ruler.after('text', 'bare_link', bareLink)
  ruler.before('emphasis', 'mentions', mentions)
  ruler.before('emphasis', 'channel_links', channelLinks)
  ruler.before('emphasis', 'maths', inlineMaths)
  ruler.before('autolink', 'timestamps', timestamps)
}

/** Core rule: parses the text of each block and marks text inside quotations. */
function parseInline(state: StateCore): void {
  const rendering = renderingOf(state.env)
  let quotes = 0
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++
    else if (token.type === 'blockquote_close') quotes--
    else if (token.type === 'inline') {
      rendering.quoted = quotes > 0
      token.children ??= []
      state.md.inline.parse(token.content, state.md, state.env, token.children)
    }
  }
}
