import type { StateCore, Token } from 'markdown-it'
import { isSafeUrl, noteLink } from './links.js'
import { type Rendering, renderingOf } from './rendering.js'

// Every tag that the rules may write. The renderer escapes values, and this list stops all other tags.
const allowedTags: ReadonlySet<string> = new Set(
  (
    'a audio blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong ' +
    'table tbody td th thead time tr ul video'
  ).split(' '),
)
const allowedAttributes: ReadonlySet<string> = new Set(
  (
    'alt aria-hidden aria-label class data-animated data-id data-original-content-type data-original-dimensions data-original-url data-stream-id ' +
    'data-transcoded-image data-user-group-id data-user-id datetime href preload role src start style title'
  ).split(' '),
)

const style =
  /^(?:text-align: (?:left|center|right);|background-image: url\("\/external_content\/[0-9a-f]{40}\/[0-9a-f]+"\))$/

/**
 * Core rule, the last one: a second line of defense against mistakes in the other rules. It also records the links of
 * the message, since all of them are tokens by now.
 */
export function keepTokensSafe(state: StateCore): void {
  check(state.tokens, renderingOf(state.env))
}

function check(tokens: readonly Token[], rendering: Rendering): void {
  for (const token of tokens) {
    if (token.tag !== '' && !allowedTags.has(token.tag)) token.tag = 'span'
    if (token.attrs) token.attrs = token.attrs.filter(([name, value]) => isSafe(name, String(value)))
    if (token.tag === 'a' && token.nesting === 1) noteLink(rendering, String(token.attrGet('href') ?? ''))
    if (token.children) check(token.children, rendering)
  }
}

function isSafe(name: string, value: string): boolean {
  if (name === 'href' || name === 'src' || name === 'data-original-src') return isSafeUrl(value)
  if (name === 'style') return style.test(value)
  return allowedAttributes.has(name)
}
