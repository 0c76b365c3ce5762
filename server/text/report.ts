import { codePoints, limits } from '../../shared/limits.js'
import { truncate } from './content.js'

/** What is told of a reported message, as it stands in the report; names are Markdown already. */
export interface Report {
  readonly reporter: string
  readonly sender: string
  /** Where it was sent: `in …` or `to …`. */
  readonly place: string
  readonly url: string
  readonly reason: string
  /** What the reporter has to say; may be empty. */
  readonly description: string
  /** Null: not for those who read the report. */
  readonly content: string | null
}

/** The report as Markdown. Nothing that is quoted in it mentions anybody, and nothing can end its quotation. */
export function reportText({ reporter, sender, place, url, reason, description, content }: Report): string {
  const lines = [
    `${reporter} reported [a message](${url}) of ${sender} ${place}.`,
    `- Reason: **${reason}**`,
    ...(description === '' ? [] : ['- Notes:', quote(description)]),
    ...(content === null ? ['', 'It was sent in private. This channel is not, so it is not shown here.'] : ['']),
  ]
  const head = lines.join('\n')
  if (content === null) return head
  // Room for the quote's fences, however long they have to be, comes out of what is quoted.
  const room = limits.max_message_length - codePoints(head) - codePoints(quote(content)) + codePoints(content)
  return head + quote(truncate(content, room, '…'))
}

function quote(text: string): string {
  const fence = '`'.repeat(longestRun(text, 2) + 1)
  return `${fence}quote\n${text}\n${fence}`
}

/** Text that stands for itself, whatever it looks like: there is no other way to write it. */
export function plainMarkdown(text: string): string {
  const ticks = '`'.repeat(longestRun(text, 0) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return ticks + room + text + room + ticks
}

/** Of the characters that fences are made of. */
const longestRun = (text: string, least: number): number =>
  Math.max(least, ...[...text.matchAll(/`+|~+/g)].map(([run]) => run.length))
