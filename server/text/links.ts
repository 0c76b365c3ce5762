import type { StateInline } from 'markdown-it'
import type { Rendering } from './rendering.js'

const imageName = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:$|[?#])/i
// Users write [docs](example.com/docs): a host without a scheme.
const bareHost = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i

/** Whether a URL may be in the server's HTML. An allow-list: javascript:, data: and unknown schemes are refused. */
export function isSafeUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:|\/|#)/i.test(url)
}

/** Whether a URL from a user may become a link. */
export function mayLinkTo(url: string): boolean {
  return isSafeUrl(url) || bareHost.test(url)
}

/**
 * Whether every URL that a template makes (RFC 6570) satisfies `mayLinkTo`, for all values of its variables: the sender
 * of a message could choose a scheme that came from a variable, and clients expand templates without the server.
 */
export function isSafeTemplate(template: string): boolean {
  const [literal = ''] = template.split('{', 1)
  return mayLinkTo(literal)
}

/** Adds a scheme to a bare host; returns other URLs unchanged. */
export function completeUrl(url: string): string {
  return !isSafeUrl(url) && bareHost.test(url) ? `http://${url}` : url
}

/** Records a link for the `has` operators of a search. */
export function noteLink(rendering: Rendering, url: string): void {
  rendering.hasLink = true
  if (/^(?:https?:\/\/[^/]+)?\/user_uploads\//i.test(url)) rendering.hasAttachment = true
  if (imageName.test(url)) rendering.hasImage = true
}

const scheme = /https?:\/\//iy
// Browsers show about 2,000 characters; users do not write longer URLs.
const maxUrlLength = 2048

/** Inline rule: a URL in the text without markup. */
export function bareLink(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0) return false
  const start = state.pos
  scheme.lastIndex = start
  const found = scheme.exec(state.src)
  if (!found || (start > 0 && /\w/.test(state.src.charAt(start - 1)))) return false
  const end = bareUrlEnd(state.src, start, Math.min(state.posMax, start + maxUrlLength))
  if (end === start + found[0].length) return false
  const text = state.src.slice(start, end)
  const href = state.md.normalizeLink(text)
  if (!mayLinkTo(href)) return false
  if (!silent) {
    state.push('link_open', 'a', 1).attrs = [['href', href]]
    state.push('text', '', 0).content = text
    state.push('link_close', 'a', -1)
  }
  state.pos = end
  return true
}

/** The end of a URL: brackets that it did not open, and trailing punctuation, belong to the sentence. */
export function bareUrlEnd(text: string, start: number, max: number): number {
  let end = start
  let parens = 0
  let brackets = 0
  for (; end < max; end++) {
    const char = text.charAt(end)
    if (/[\s<>"`\p{Cc}]/u.test(char)) break
    if (char === '(') parens++
    else if (char === ')' && --parens < 0) break
    else if (char === '[') brackets++
    else if (char === ']' && --brackets < 0) break
  }
  const first = text.indexOf('//', start) + 2
  while (end > first && /[.,:;!?'*_~]/.test(text.charAt(end - 1))) end--
  return end
}
