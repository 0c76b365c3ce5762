import { codePoints, limits } from '../../shared/limits.js'
import { truncate } from './content.js'

/** The text as a quotation in Markdown, which it cannot close. */
export const quoted = (text: string): string => fenced(text, '`', 'quote')

/** As `quoted`, in the form that integrations have in the protocol. */
export const quotedByTildes = (text: string): string => fenced(text, '~', ' quote')

function fenced(text: string, mark: '`' | '~', language: string): string {
  const fence = mark.repeat(longestRun(text, 2) + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Markdown that ends with a quotation, which is shortened to what a message has room for. */
export function withQuote(head: string, content: string): string {
  // It is shortened by the length of its fences, which depends on the content.
  const room = limits.max_message_length - codePoints(head) - codePoints(quoted(content)) + codePoints(content)
  return head + quoted(truncate(content, room, '…'))
}

/** Literal text as inline code: Markdown has no other way to write arbitrary text. */
export function plainMarkdown(text: string): string {
  const ticks = '`'.repeat(longestRun(text, 0) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return ticks + room + text + room + ticks
}

/** The longest run of fence characters, at least `least`. */
const longestRun = (text: string, least: number): number =>
  Math.max(least, ...[...text.matchAll(/`+|~+/g)].map(([run]) => run.length))
