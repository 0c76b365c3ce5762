import markdownIt, { type MarkdownIt, type StateCore, type StateInline } from 'markdown-it'
import { budgets } from '../config/budgets.js'
import { escapeText } from './escape.js'
import { LinkifierBudget } from './linkifier-budget.js'
import { type Names, noNames, noPreviews } from './names.js'
import { isPlain, plainText } from './plain-text.js'
import { channelLinks } from './rules/channel-links.js'
import { codeBlock } from './rules/code-blocks.js'
import { emojiCharacter, namedEmoji } from './rules/emoji-syntax.js'
import { hasEmoticons, translateEmoticons } from './rules/emoticons.js'
import { deletions, emphasis } from './rules/emphasis.js'
import { fencedBlocks, plainWhenDeep } from './rules/fenced-blocks.js'
import { bareQuoteMarks, headings } from './rules/headings.js'
import { inlineCode, inlineCodeHtml } from './rules/inline-code.js'
import { audioHtml, inlineMedia } from './rules/inline-media.js'
import { applyLinkifiers, findLinks } from './rules/linkifiers.js'
import { bareAddress, links } from './rules/links.js'
import { lists } from './rules/lists.js'
import { inlineFormula, inlineMaths } from './rules/maths.js'
import { mentions } from './rules/mentions.js'
import { addPreviews } from './rules/previews.js'
import { type Rendering, renderingOf, startRendering } from './rules/rendering.js'
import { keepTokensSafe } from './rules/safe-tokens.js'
import { tables } from './rules/tables.js'
import { timestamps } from './rules/timestamps.js'
import { fillPlaces, type PlacedPart } from './slow-parts.js'
import { isTooComplex } from './too-complex.js'

export type { Linkifier, Names } from './names.js'
export { topicLinks } from './rules/topic-links.js'

/** The HTML of a message, and the properties of the message that follow from its text. */
export interface Rendered {
  html: string
  mentions: { userIds: number[]; groupIds: number[]; channelWildcard: boolean; topicWildcard: boolean }
  hasLink: boolean
  hasImage: boolean
  hasAttachment: boolean
  /** Paths of the uploaded files to which the text links. */
  files: string[]
  /** Addresses of websites that could have a preview (docs/protocol/message-html.md#websites). */
  websites: string[]
  isMeMessage: boolean
}

/** Stored with the HTML: raise it when the same text would render differently. */
export const RENDERER_VERSION = 8

const parser = build()

/** A message whose formulas and code are still to be rendered. */
interface Unfinished {
  readonly parts: readonly PlacedPart[]
  /** See `Rendered`. */
  readonly websites: readonly string[]
  /** The message with these parts; null: the part is shown as plain text. */
  finish(rendered: readonly (string | null)[]): Rendered
}

/** Renders the text of a message, but for its formulas and code: they may take long, so threads render them. */
export function beginRendering(content: string, names: Names): Unfinished {
  return begin(content, startRendering(names))
}

/**
 * The same for a text that takes a few milliseconds at most, whatever it contains; undefined: the text may take longer, so a thread
 * renders it. The text, the names and the linkifiers alone decide.
 */
export function beginQuickRendering(content: string, names: Names): Unfinished | undefined {
  if (content.length > budgets.quickCharacters.most && !isPlain(content) && !isTooComplex(content)) return undefined
  const rendering = startRendering(names, new LinkifierBudget(budgets.quickLinkifierSteps.most))
  const unfinished = begin(content, rendering)
  return rendering.budget.isExhausted ? undefined : unfinished
}

/** Renders a text, such as a description, at once to HTML in which all text is escaped; formulas and code are shown as typed. */
export function renderAtOnce(content: string, names: Names): Rendered {
  const rendering = startRendering(names, new LinkifierBudget(budgets.quickLinkifierSteps.most))
  return begin(content, rendering).finish([])
}

function begin(content: string, rendering: Rendering): Unfinished {
  const { names, budget } = rendering
  const whole = renderHtml(content, rendering)
  // Too large: the message loses its previews first, and then its markup.
  if (whole === undefined && (names.showsPreviews || names.showsWebsites)) {
    return begin(content, startRendering({ ...names, ...noPreviews }, new LinkifierBudget(budget.most)))
  }
  const html = whole ?? plainHtml(content)
  const parts = whole === undefined ? [] : rendering.parts
  const websites = [...rendering.websites]
  return { parts, websites, finish: rendered => resultOf(content, fillPlaces(html, parts, rendered), rendering) }
}

/** A message whose text means nothing but itself. */
export function asTyped(content: string): Rendered {
  return resultOf(content, plainHtml(content), startRendering(noNames))
}

function resultOf(content: string, html: string, rendering: Rendering): Rendered {
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
    files: [...rendering.files],
    websites: [...rendering.websites],
    isMeMessage: content.startsWith('/me '),
  }
}

/** Undefined: the HTML would be too large. */
function renderHtml(content: string, rendering: Rendering): string | undefined {
  // Text without any markup does not need the parser; the linkifiers get it as the parser would pass it on.
  if (isPlain(content) && !(rendering.names.translatesEmoticons && hasEmoticons(content))) {
    rendering.plain = { text: content, links: findLinks(content, rendering.names, rendering.budget) }
    if (rendering.plain.links.length === 0) return `<p>${content}</p>`
  }
  if (isTooComplex(content)) return plainHtml(content)
  const html = parser.render(withoutTabs(content), { rendering }).trimEnd()
  return fits(html) ? html : undefined
}

// A UTF-16 unit takes at most three bytes, so most texts need no counting.
const fits = (html: string): boolean =>
  html.length * 3 <= budgets.renderedBytes.most || Buffer.byteLength(html) <= budgets.renderedBytes.most

function plainHtml(content: string): string {
  return `<p>${escapeText(content).replace(/\n/g, '<br>\n')}</p>`
}

/** Each tab becomes spaces up to the next column that four divides, also in code. */
function withoutTabs(content: string): string {
  const text = content.replaceAll('\u0002', '').replaceAll('\u0003', '')
  return text.includes('\t') ? text.split('\n').map(expandTabs).join('\n') : text
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t')
  return rest.reduce((text, part) => text + ' '.repeat(4 - (text.length % 4)) + part, first)
}

/** Built once: the parser keeps no state between texts, and rules get the names with each text. */
function build(): MarkdownIt {
  const md = markdownIt({ html: false, breaks: true, maxNesting: 50 })
  // Underlined headings and link definitions surprise users of a chat; backslashes are typed as text far more often
  // than as escapes.
  md.disable(['lheading', 'reference', 'escape', 'image', 'linkify', 'autolink', 'html_block', 'html_inline'])
  md.inline.ruler2.disable(['balance_pairs', 'strikethrough', 'emphasis'])
  addBlockRules(md)
  addInlineRules(md)
  md.core.ruler.at('inline', parseInline)
  md.core.ruler.push('linkifiers', applyLinkifiers)
  md.core.ruler.push('emoticons', translateEmoticons)
  md.core.ruler.push('previews', addPreviews)
  md.core.ruler.push('safe_tokens', keepTokensSafe)
  addRendererRules(md)
  return md
}

function addRendererRules({ renderer }: MarkdownIt): void {
  renderer.rules.text = (tokens, index) => escapeText(tokens[index]?.content ?? '')
  renderer.rules.character_reference = (tokens, index) => tokens[index]?.content ?? ''
  renderer.rules.code_inline = inlineCodeHtml
  renderer.rules.maths = inlineFormula
  renderer.rules.audio = audioHtml
  renderer.rules.fence = codeBlock
  renderer.rules.code_block = codeBlock
  // No newline between the text of an item and the list in it: clients would show it.
  const { renderToken } = renderer
  renderer.renderToken = function (tokens, index, options) {
    const html = renderToken.call(this, tokens, index, options)
    return tokens[index - 1]?.hidden && html.startsWith('\n') ? html.slice(1) : html
  }
}

function addBlockRules({ block: { ruler } }: MarkdownIt): void {
  ruler.before('table', 'plain_when_deep', plainWhenDeep)
  ruler.at('table', tables, { alt: [] })
  ruler.at('fence', fencedBlocks, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  ruler.before('blockquote', 'bare_quote_marks', bareQuoteMarks)
  ruler.at('list', lists, { alt: ['paragraph', 'reference', 'blockquote'] })
  ruler.at('heading', headings, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

function addInlineRules({ inline: { ruler } }: MarkdownIt): void {
  ruler.at('text', plainText)
  ruler.after('text', 'emoji_character', emojiCharacter)
  ruler.after('text', 'named_emoji', namedEmoji)
  ruler.after('text', 'bare_address', bareAddress)
  ruler.at('newline', lineBreak)
  ruler.at('backticks', inlineCode)
  ruler.at('emphasis', emphasis)
  ruler.at('strikethrough', deletions)
  ruler.at('link', links)
  ruler.before('link', 'inline_media', inlineMedia)
  ruler.at('entity', characterReference)
  ruler.before('emphasis', 'mentions', mentions)
  ruler.before('emphasis', 'channel_links', channelLinks)
  ruler.before('emphasis', 'maths', inlineMaths)
  ruler.before('emphasis', 'timestamps', timestamps)
}

/** Inline rule: each newline is a line break; spaces around it stay. */
function lineBreak(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x0a) return false
  if (!silent) state.push('hardbreak', 'br', 0)
  state.pos++
  return true
}

const reference = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/iy

/** Inline rule: `&copy;` and `&#169;` stay as they are, so that browsers show the character. */
function characterReference(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x26) return false
  reference.lastIndex = state.pos
  const [found] = reference.exec(state.src) ?? []
  if (found === undefined || state.pos + found.length > state.posMax) return false
  if (!silent) state.push('character_reference', '', 0).content = found
  state.pos += found.length
  return true
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
