import { createHash } from 'node:crypto'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { limits } from '../../../shared/limits.js'
import { wellFormed } from '../content.js'
import { withoutFooter, withoutQuotes } from './cut-quotes.js'
import { htmlToMarkdown } from './html-to-markdown.js'

/** What an address asks of the text of a mail. */
export interface TextOptions {
  readonly includeQuotes: boolean
  readonly includeFooter: boolean
  readonly prefersHtml: boolean
}

export interface ReadAttachment {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** What the server needs of a mail. */
export interface ReadMail {
  /** A digest if the mail has none. */
  readonly messageId: string
  /** The first address of `From`; empty: there is none. */
  readonly from: { readonly name: string; readonly address: string }
  /** Without `Re:` and `Fwd:`. */
  readonly subject: string
  /** Values of headers by which programs are recognized; empty: the mail has no such header. */
  readonly headers: Readonly<Record<(typeof programHeaders)[number], string>>
  /** A mail server on the way found that the domain of `From` disowns the mail (RFC 8601, RFC 7489). */
  readonly failsDmarc: boolean
  /** How many servers have passed the mail on. */
  readonly hops: number
  /** The texts for the given options. */
  readonly texts: readonly string[]
  readonly attachments: readonly ReadAttachment[]
}

const programHeaders = ['auto-submitted', 'precedence', 'list-id', 'x-autoreply', 'x-autorespond'] as const

const replyPrefix = /^(?:\s*(?:re|aw|antw|sv|vs|fwd?|wg|tr|rv)(?:\[\d+\])?\s*:)+\s*/i
const forwardPrefix = /^\s*(?:fwd?|wg|tr|rv)\s*:/i
// The text of a longer mail is read up to here.
const mostText = 1_000_000
const mostSubject = 1_000
// Each line of a text that is not encoded takes the parser 1.6 kB. Beside them a file in base64 has one per 76 bytes.
const mostLines = 100_000
const bytesOfFileLine = 76

/** Reads a mail. @throws if it cannot be read: it has too many lines, its parts are nested too deeply, or its headers are too long */
export async function readMail(source: Uint8Array, options: readonly TextOptions[]): Promise<ReadMail> {
  if (linesIn(source) > mostLines + source.length / bytesOfFileLine) throw new Error('The mail has too many lines')
  const mail = await PostalMime.parse(source, { maxNestingDepth: 50, forceRfc822Attachments: true })
  const given = mail.subject ?? ''
  const isForwarded = forwardPrefix.test(given)
  const [from] = mail.from ? flat([mail.from]) : []
  const headerOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  return {
    messageId: mail.messageId?.trim() || `sha256 ${createHash('sha256').update(source).digest('hex')}`,
    from: { name: oneLine(from?.name ?? ''), address: oneLine(from?.address ?? '') },
    subject: oneLine(given.slice(0, mostSubject)).replace(replyPrefix, ''),
    headers: Object.fromEntries(programHeaders.map(name => [name, headerOf(name)])) as ReadMail['headers'],
    failsDmarc: mail.headers.some(
      ({ key, value }) => key === 'authentication-results' && /\bdmarc *= *fail\b/i.test(value),
    ),
    hops: mail.headers.filter(({ key }) => key === 'received').length,
    texts: options.map(one => textOf(mail, isForwarded ? { ...one, includeQuotes: true, includeFooter: true } : one)),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: oneLine(filename ?? ''),
      type: mimeType,
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
  }
}

function linesIn(source: Uint8Array): number {
  let count = 0
  for (let at = source.indexOf(10); at >= 0; at = source.indexOf(10, at + 1)) count++
  return count
}

/** An encoded header may have any characters, also such as would begin another header, and such as a database refuses. */
const oneLine = (text: string): string =>
  wellFormed(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .trim()

const flat = (addresses: readonly Address[]) => addresses.flatMap(one => one.group ?? [one])

function textOf({ text = '', html = '' }: Email, { includeQuotes, includeFooter, prefersHtml }: TextOptions): string {
  const isHtml = html !== '' && (prefersHtml || text.trim() === '')
  const whole = isHtml
    ? htmlToMarkdown(html.slice(0, mostText), { quotes: includeQuotes, footer: includeFooter })
    : text.slice(0, mostText)
  const answer = includeQuotes ? whole : withoutQuotes(whole)
  const shown = includeFooter ? answer : withoutFooter(answer)
  return wellFormed(shown.slice(0, 2 * limits.max_message_length))
    .replaceAll('\0', '')
    .replaceAll('\r\n', '\n')
    .trim()
}
