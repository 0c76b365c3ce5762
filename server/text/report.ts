import { quoted, withQuote } from './quote.js'

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
    ...(description === '' ? [] : ['- Notes:', quoted(description)]),
    ...(content === null ? ['', 'It was sent in private. This channel is not, so it is not shown here.'] : ['']),
  ]
  const head = lines.join('\n')
  return content === null ? head : withQuote(head, content)
}
