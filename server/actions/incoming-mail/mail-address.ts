import { createHmac } from 'node:crypto'
import type { Ctx } from '../../ctx.js'

const tokenCharacters = 32
const replyMark = 'mm'
// Of a local part (RFC 5321, 4.5.3.1.1).
const mostLocalPart = 64
const showSender = 'show-sender'

export const mailOptions = [showSender, 'include-footer', 'include-quotes', 'prefer-text', 'prefer-html'] as const
export type MailOption = (typeof mailOptions)[number]

/** The part of an address that this server made. */
export interface ReadAddress {
  readonly token: string
  readonly isReply: boolean
  readonly options: ReadonlySet<MailOption>
}

type Settings = Pick<Ctx, 'config'>

/** The token of an address: it cannot be guessed, and is the same each time. `subject`: what the address is for. */
export const tokenOf = ({ directory }: Pick<Ctx, 'directory'>, ...subject: readonly (string | number)[]): string =>
  createHmac('sha256', directory.organization.secret)
    .update(`mail ${JSON.stringify(subject)}`)
    .digest('hex')
    .slice(0, tokenCharacters)

/** The address of a conversation, to which its reader replies. Null: the server receives no mail. */
export function replyAddressOf({ config }: Settings, token: string): string | null {
  const pattern = config.incomingMail
  return pattern ? `${pattern.before}${replyMark}${token}${pattern.after}` : null
}

/** The address of a channel, with a form of its name that a reader recognizes. Empty: the server receives no mail. */
export function channelAddressOf({ config }: Settings, token: string, channelName: string): string {
  const pattern = config.incomingMail
  if (!pattern) return ''
  const around = pattern.before.length + pattern.after.indexOf('@')
  const rest = `${token}.${showSender}`
  const slug = slugOf(channelName, mostLocalPart - around - rest.length - 1)
  return `${pattern.before}${slug === '' ? '' : `${slug}.`}${rest}${pattern.after}`
}

/** Reads an address. Undefined: this server made no such address. Case is ignored, because mail programs may change it. */
export function readAddress({ config }: Settings, given: string): ReadAddress | undefined {
  const pattern = config.incomingMail
  const address = given.toLowerCase()
  if (!pattern || address.length > 320 || !address.startsWith(pattern.before) || !address.endsWith(pattern.after))
    return
  const own = address.slice(pattern.before.length, -pattern.after.length)
  const reply = /^mm([0-9a-f]{32})$/.exec(own)?.[1]
  if (reply !== undefined) return { token: reply, isReply: true, options: new Set() }
  const parts = own.split(/[+.]/)
  const at = parts.findIndex(part => /^[0-9a-f]{32}$/.test(part))
  const token = parts[at]
  if (token === undefined) return
  const options = mailOptions.filter(option => parts.includes(option, at + 1))
  return { token, isReply: false, options: new Set(options) }
}

function slugOf(name: string, most: number): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  // Not a token: it would be read as one.
  return slug.slice(0, Math.max(0, Math.min(most, tokenCharacters - 1))).replace(/^-+|-+$/g, '')
}
