import { codePoints, limits } from '../../shared/limits.js'
import { truncate } from './content.js'

/** The data of a report about a message; names are already Markdown. */
export interface Report {
  readonly reporter: string
  readonly sender: string
  /** The place of the message: `in …` or `to …`. */
  readonly place: string
  readonly url: string
  readonly reason: string
  /** The reporter's notes; may be empty. */
  readonly description: string
  /** Null if the readers of the report may not see the content. */
  readonly content: string | null
}

/** The report as Markdown. Quoted text mentions no user and cannot close its quotation. */
export function reportText({ reporter, sender, place, url, reason, description, content }: Report): string {
  const lines = [
    `${reporter} reported [a message](${url}) of ${sender} ${place}.`,
    `- Reason: **${reason}**`,
    ...(description === '' ? [] : ['- Notes:', quote(description)]),
    ...(content === null ? ['', 'It was sent in private. This channel is not, so it is not shown here.'] : ['']),
  ]
  const head = lines.join('\n')
  if (content === null) return head
  // The quoted content is shortened by the length of its fences, which depends on the content.
  const room = limits.max_message_length - codePoints(head) - codePoints(quote(content)) + codePoints(content)
  return head + quote(truncate(content, room, '…'))
}

function quote(text: string): string {
  const fence = '`'.repeat(longestRun(text, 2) + 1)
  return `${fence}quote\n${text}\n${fence}`
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
