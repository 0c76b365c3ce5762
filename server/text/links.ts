import type { StateInline } from 'markdown-it'
import { type Rendering, renderingOf } from './rendering.js'

// Schemes whose addresses may become links. javascript:, data: and unknown ones never do.
const schemes: ReadonlySet<string> = new Set(
  (
    'http https ftp file mid bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel urn ' +
    'webcal wtai xmpp'
  ).split(' '),
)
const scheme = /^([a-z][a-z0-9+.-]*):/i
const bareHost = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*(?::\d{1,5})?(?:[/?#]|$)/u
// Browsers show about 2,000 characters; users do not write longer URLs.
const maxUrlLength = 2048

/** Whether a URL may be in the server's HTML: a path, a fragment, or one of the allowed schemes. */
export function isSafeUrl(url: string): boolean {
  const [, name] = scheme.exec(url) ?? []
  return name === undefined ? /^(?:\/(?!\/)|#)/.test(url) : schemes.has(name.toLowerCase())
}

/**
 * Whether every URL that a template makes (RFC 6570) may become a link, for all values of its variables: the sender
 * of a message could choose a scheme that came from a variable, and clients expand templates without the server.
 */
export function isSafeTemplate(template: string): boolean {
  const [literal = ''] = template.split('{', 1)
  return isSafeUrl(literal) || /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i.test(literal)
}

/**
 * The `href` for an address that a user wrote; undefined: it becomes no link (docs/protocol/message-html.md#addresses).
 * `origin` is that of this server.
 */
export function hrefOf(address: string, origin: string): string | undefined {
  const url = withScheme(address.trim().replaceAll(' ', '%20'))
  const [start = '', name = ''] = scheme.exec(url) ?? []
  if (!isSafeUrl(url) || /\p{Cc}/u.test(url) || url.length > maxUrlLength) return undefined
  if (/^https?$/i.test(name) && !URL.canParse(url)) return undefined
  const href = start.toLowerCase() + url.slice(start.length)
  // A link to this server opens in the client, and survives a change of the server's host.
  if (origin === '' || !href.startsWith(`${origin}/`)) return href
  const path = href.slice(origin.length)
  if (path.startsWith('/#')) return path.slice(1)
  return path.startsWith('/user_uploads/') ? path : href
}

/** '' if the address cannot be completed. */
function withScheme(address: string): string {
  if (/^(?:\/(?!\/)|#)/.test(address)) return address
  if (address.startsWith('//')) return `http:${address}`
  const [, name] = scheme.exec(address) ?? []
  // In `example.com:8080` the host is no scheme.
  if (name !== undefined && !name.includes('.')) return address
  if (/^[^/?#]+@/.test(address)) return `mailto:${address}`
  return bareHost.test(address) ? `http://${address}` : ''
}

/** Records a link for the `has` operators of a search. */
export function noteLink(rendering: Rendering, url: string): void {
  rendering.hasLink = true
  if (url.startsWith('/user_uploads/')) rendering.hasAttachment = true
}

const inBrackets = /\(\s*<([^<>\n]*)>/y
const title = /\s+(?:"([^"\n]*)"|'([^'\n]*)')\s*\)/y

/** Inline rule: `[text](address)`, `[text](<address>)`, `[text](address "title")`. */
export function links(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x5b || state.linkLevel > 0) return false
  const labelEnd = state.md.helpers.parseLinkLabel(state, pos, true)
  if (labelEnd < 0 || src.charCodeAt(labelEnd + 1) !== 0x28) return false
  const target = targetAt(src, labelEnd + 1, posMax)
  const href = target && hrefOf(target.address, renderingOf(state.env).names.origin)
  if (!target || !href) return false
  if (!silent) {
    const open = state.push('link_open', 'a', 1)
    open.attrs = [['href', href]]
    if (target.title) open.attrs.push(['title', target.title])
    state.linkLevel++
    if (labelEnd === pos + 1) state.push('text', '', 0).content = href
    else {
      state.pos = pos + 1
      state.posMax = labelEnd
      state.md.inline.tokenize(state)
      state.posMax = posMax
    }
    state.linkLevel--
    state.push('link_close', 'a', -1)
  }
  state.pos = target.end
  return true
}

interface Target {
  address: string
  title?: string
  end: number
}

/** The parentheses behind the text of a link: an address, which may contain pairs of parentheses, and a title. */
function targetAt(src: string, open: number, max: number): Target | undefined {
  inBrackets.lastIndex = open
  const [bracketed, inside] = inBrackets.exec(src) ?? []
  if (bracketed !== undefined && inside !== undefined) return targetEnd(src, inside, open + bracketed.length, max)
  let depth = 0
  for (let at = open + 1; at < Math.min(max, open + maxUrlLength); at++) {
    const char = src.charAt(at)
    if (char === '\n') return undefined
    if (char === '(') depth++
    else if ((char === ')' && depth-- === 0) || (char === ' ' && depth === 0 && titleAt(src, at))) {
      return targetEnd(src, src.slice(open + 1, at), at, max)
    }
  }
  return undefined
}

function titleAt(src: string, at: number): RegExpExecArray | null {
  title.lastIndex = at
  return title.exec(src)
}

function targetEnd(src: string, address: string, at: number, max: number): Target | undefined {
  const found = titleAt(src, at)
  let close = found ? at + found[0].length - 1 : at
  while (src.charAt(close) === ' ') close++
  if (close >= max || src.charCodeAt(close) !== 0x29) return undefined
  return { address, title: found?.[1] ?? found?.[2], end: close + 1 }
}
