import type { StateInline } from 'markdown-it'
import { budgets } from '../../config/budgets.js'
import { wellFormed } from '../content.js'
import { pathOfFile } from '../uploaded-files.js'
import type { Address } from './addresses.js'
import { type LinkScan, scanLinks } from './link-scan.js'
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
const webUrl = /^https?:\/\/[^/]/i

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
  // Browsers read a backslash as a slash; invisible characters could make an address look like another.
  const url = withScheme(wellFormed(address.trim()).replace(/[\p{Z}\p{Cf}\\]/gu, encodeURIComponent))
  const [start = '', name = ''] = scheme.exec(url) ?? []
  if (!isSafeUrl(url) || /\p{Cc}/u.test(url)) return undefined
  if (/^https?$/i.test(name) && !(webUrl.test(url) && URL.canParse(url))) return undefined
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
  if (name !== undefined && !name.includes('.') && name !== 'localhost') return address
  if (/^[^/?#]+@/.test(address)) return `mailto:${address}`
  return bareHost.test(address) ? `http://${address}` : ''
}

/** Records an address for the `has` operators of a search; `isLink`: the reader can follow it. */
export function noteLink(rendering: Rendering, url: string, isLink = true): void {
  if (isLink) rendering.hasLink = true
  if (!url.startsWith('/user_uploads/')) return
  rendering.hasAttachment = true
  const file = pathOfFile(url)
  if (file !== undefined && rendering.files.size < budgets.filesInMessage.most) rendering.files.add(file)
}

/** The scan of the text whose block the parser reads. */
export function scanOf({ env, src }: StateInline): LinkScan {
  const rendering = renderingOf(env)
  if (rendering.links?.text !== src) rendering.links = scanLinks(src)
  return rendering.links
}

/** The first address in the text that begins at the position or later. */
export function nextAddress(state: StateInline): Address | undefined {
  const scan = scanOf(state)
  const before = scan.addresses[scan.current - 1]
  if (before && before.start >= state.pos) scan.current = 0
  while ((scan.addresses[scan.current]?.start ?? state.pos) < state.pos) scan.current++
  return scan.addresses[scan.current]
}

/** Inline rule: an address in the text without markup (docs/protocol/message-html.md#addresses). */
export function bareAddress(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0) return false
  const found = nextAddress(state)
  if (found?.start !== state.pos || found.end > state.posMax) return false
  const text = state.src.slice(found.start, found.end)
  const href = hrefOf(text, renderingOf(state.env).names.origin)
  if (href === undefined) return false
  if (!silent) {
    state.push('link_open', 'a', 1).attrs = [['href', href]]
    state.push('text', '', 0).content = text
    state.push('link_close', 'a', -1)
  }
  state.pos = found.end
  return true
}

/** Inline rule: `[text](address)`, `[text](<address>)`, `[text](address "title")`. */
export function links(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  // A picture is no link: where it cannot be shown, it is text with an address.
  if (src.charCodeAt(pos) !== 0x5b || state.linkLevel > 0 || src.charAt(pos - 1) === '!') return false
  const scan = scanOf(state)
  const labelEnd = scan.brackets.get(pos)
  if (labelEnd === undefined || src.charCodeAt(labelEnd + 1) !== 0x28) return false
  const target = targetAt(scan, labelEnd + 1)
  const href = target && hrefOf(target.address, renderingOf(state.env).names.origin)
  if (!target || target.end > posMax || !href) return false
  if (!silent) pushLink(state, labelEnd, href, target.title)
  state.pos = target.end
  state.posMax = posMax
  return true
}

function pushLink(state: StateInline, labelEnd: number, href: string, title: string | undefined): void {
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href]]
  if (title) open.attrs.push(['title', title])
  if (labelEnd === state.pos + 1) state.push('text', '', 0).content = href
  else {
    state.pos++
    state.posMax = labelEnd
    state.linkLevel++
    state.md.inline.tokenize(state)
    state.linkLevel--
  }
  state.push('link_close', 'a', -1)
}

/** What the parentheses behind the text of a link hold. */
interface Target {
  readonly address: string
  readonly title: string | undefined
  /** Behind the closing parenthesis. */
  readonly end: number
}

const titleAndEnd = '(?:\\s+(?:"([^"\\n]*)"|\'([^\'\\n]*)\'))?\\s*\\)'
const inAngles = new RegExp(`\\(\\s*<([^<>\\n]*)>${titleAndEnd}`, 'y')
const end = new RegExp(titleAndEnd, 'y')

/** The parentheses behind the text of a link: an address, which may contain pairs of parentheses, and a title. */
export function targetAt(scan: LinkScan, open: number): Target | undefined {
  const { text } = scan
  const angled = matchAt(scan, inAngles, open)
  if (angled) return { address: angled[1] ?? '', title: angled[2] ?? angled[3], end: open + angled[0].length }
  let depth = 0
  for (let at = open + 1; at < text.length && scan.room > 0; at++, scan.room--) {
    const char = text.charAt(at)
    if (char === '\n') return undefined
    if (char === '(') depth++
    else if ((char === ')' && depth-- === 0) || (char === ' ' && depth === 0)) {
      const found = matchAt(scan, end, at)
      if (found) {
        return { address: text.slice(open + 1, at), title: found[1] ?? found[2], end: at + found[0].length }
      }
    }
  }
  return undefined
}

function matchAt(scan: LinkScan, pattern: RegExp, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(scan.text)
}
