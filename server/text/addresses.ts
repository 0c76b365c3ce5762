import { createRequire } from 'node:module'
import type { StateInline } from 'markdown-it'
import { hrefOf } from './links.js'
import { renderingOf } from './rendering.js'

// The list of the Internet's top-level domains, and the one that is reserved for examples. Names of files end in the excluded ones.
const require = createRequire(import.meta.url)
const fileEndings: readonly string[] = ['java', 'md', 'mov', 'py', 'zip']
const topLevel: ReadonlySet<string> = new Set(
  [...(require('tlds') as string[]), 'example'].filter(name => !fileEndings.includes(name)),
)

const mayStandBefore = /[\s'"(,:<]|[^\0-\x7f]/
const withScheme = /https?:\/\/[\w.:@-]+/y
const email = /[\w.+-]{1,64}@([\w-]+(?:\.[\w-]+)+)/y
const host = /[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?/y
// Browsers show about 2,000 characters; users do not write longer addresses.
const maxLength = 2048

/** A part of a text that is an address. */
export interface Address {
  readonly start: number
  readonly end: number
  /** The address as typed, with `mailto:` before one of mail. */
  readonly url: string
}

/** Inline rule: an address in the text without markup (docs/protocol/message-html.md#addresses). */
export function bareAddress(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0) return false
  const found = addressAt(state.src, state.pos, state.posMax)
  const href = found && hrefOf(found.url, renderingOf(state.env).names.origin)
  if (!found || !href) return false
  if (!silent) {
    state.push('link_open', 'a', 1).attrs = [['href', href]]
    state.push('text', '', 0).content = state.src.slice(found.start, found.end)
    state.push('link_close', 'a', -1)
  }
  state.pos = found.end
  return true
}

/** The address that begins at this position: a URL of the web, a host with a known top-level domain, or an address of mail. */
export function addressAt(text: string, start: number, max: number): Address | undefined {
  if (start > 0 && !mayStandBefore.test(text.charAt(start - 1))) return undefined
  const [mail, domain = ''] = match(email, text, start, max)
  if (mail !== undefined && isKnownDomain(domain)) {
    return { start, end: start + mail.length, url: `mailto:${mail}` }
  }
  const [url] = match(withScheme, text, start, max)
  const [bare] = url === undefined ? match(host, text, start, max) : []
  const found = url ?? (bare !== undefined && isKnownDomain(bare.replace(/:\d+$/, '')) ? bare : undefined)
  if (found === undefined) return undefined
  const first = start + (url === undefined ? 0 : found.indexOf('//') + 2)
  const end = withoutPunctuation(text, first, pathEnd(text, start + found.length, Math.min(max, start + maxLength)))
  return end === first ? undefined : { start, end, url: text.slice(start, end) }
}

function match(pattern: RegExp, text: string, start: number, max: number): readonly (string | undefined)[] {
  pattern.lastIndex = start
  const found = pattern.exec(text)
  return found && start + found[0].length <= max ? found : []
}

const isKnownDomain = (domain: string): boolean => topLevel.has(domain.slice(domain.lastIndexOf('.') + 1))

/** The end of a path, a query or a fragment. Parentheses count in pairs. */
function pathEnd(text: string, start: number, max: number): number {
  if (!/[/?#]/.test(text.charAt(start))) return start
  let depth = 0
  let end = start
  for (; end < max; end++) {
    const char = text.charAt(end)
    if (/[\s<>"`\p{Cc}]/u.test(char)) break
    if (char === '(') depth++
    else if (char === ')' && --depth < 0) break
  }
  return end
}

/** Punctuation at the end belongs to the sentence, and asterisks and tildes to the emphasis around the address. */
function withoutPunctuation(text: string, first: number, end: number): number {
  while (end > first && /[!:;?),.'">*~]/.test(text.charAt(end - 1)) && !closesPair(text, first, end)) end--
  return end
}

const closesPair = (text: string, first: number, end: number): boolean => {
  if (text.charAt(end - 1) !== ')') return false
  const inside = text.slice(first, end)
  return inside.split('(').length >= inside.split(')').length
}
