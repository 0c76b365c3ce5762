import type { StateCore, Token } from 'markdown-it'
import { isSafeUrl, noteLink } from './links.js'
import { type Rendering, renderingOf } from './rendering.js'

// Everything that a rule may write. Values are escaped by the renderer; a name that is not here never leaves.
const allowedTags: ReadonlySet<string> = new Set(
  (
    'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre s span strong ' +
    'table tbody td th thead time tr ul'
  ).split(' '),
)
const allowedAttributes: ReadonlySet<string> = new Set(
  (
    'alt aria-hidden aria-label class data-stream-id data-user-group-id data-user-id datetime href role src start ' +
    'style title'
  ).split(' '),
)

/**
 * Core rule, the last one: a second lock behind the rules themselves, against a mistake in any of them. It also notes
 * which links the message has, as by now all of them are tokens.
 */
export function keepTokensSafe(state: StateCore): void {
  check(state.tokens, renderingOf(state.env))
}

function check(tokens: readonly Token[], rendering: Rendering): void {
  for (const token of tokens) {
    if (token.tag !== '' && !allowedTags.has(token.tag)) token.tag = 'span'
    if (token.attrs) token.attrs = token.attrs.filter(([name, value]) => isSafe(name, String(value)))
    if (token.type === 'link_open') noteLink(rendering, String(token.attrGet('href') ?? ''))
    if (token.children) check(token.children, rendering)
  }
}

function isSafe(name: string, value: string): boolean {
  if (name === 'href' || name === 'src') return isSafeUrl(value)
  if (name === 'style') return /^text-align:(?:left|center|right)$/.test(value)
  return allowedAttributes.has(name)
}
