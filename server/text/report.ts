import { type ReportType, reportTypes } from '../../shared/resources/report-types.js'
import type { InLanguages, PageLanguage } from './page-language.js'
import { quoted, withQuote } from './quote.js'

/** The data of a report about a message; names are already Markdown. */
export interface Report {
  readonly reporter: string
  readonly sender: string
  readonly place: ReportedPlace
  readonly url: string
  readonly type: ReportType
  /** The reporter's notes; may be empty. */
  readonly description: string
  /** Null if the readers of the report may not see the content. */
  readonly content: string | null
}

/** A conversation with others, who may be none, or a channel with its topic; undefined: a channel that is not named. */
export type ReportedPlace = { readonly others: readonly string[] } | { readonly channel: string | undefined }

interface Words {
  readonly topic: (sender: string) => string
  /** The page finds the message and its sender in this line (server/web/state/reports.ts). */
  readonly reported: (report: { reporter: string; url: string; sender: string; place: string }) => string
  readonly to: (others: string) => string
  readonly toNobody: string
  readonly hidden: string
  readonly reason: string
  readonly reasons: Readonly<Record<ReportType, string>>
  readonly notes: string
  readonly secret: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    topic: sender => `${sender}'s moderation requests`,
    reported: ({ reporter, url, sender, place }) => `${reporter} reported [a message](${url}) of ${sender} ${place}.`,
    to: others => `to ${others}`,
    toNobody: 'to no other user',
    hidden: 'in a private channel',
    reason: 'Reason',
    reasons: Object.fromEntries(reportTypes.map(({ key, name }) => [key, name])) as Record<ReportType, string>,
    notes: 'Notes',
    secret: 'It was sent in private. This channel is not, so it is not shown here.',
  },
  de: {
    topic: sender => `Meldungen zu ${sender}`,
    reported: ({ reporter, url, sender, place }) =>
      `${reporter} hat [eine Nachricht](${url}) von ${sender} ${place} gemeldet.`,
    to: others => `an ${others}`,
    toNobody: 'an niemand anderen',
    hidden: 'in einem privaten Kanal',
    reason: 'Grund',
    reasons: {
      spam: 'Spam',
      harassment: 'Belästigung',
      inappropriate: 'Unpassender Inhalt',
      norms: 'Verstößt gegen unsere Regeln',
      other: 'Ein anderer Grund',
    },
    notes: 'Erklärung',
    secret: 'Sie wurde privat gesendet. Dieser Kanal ist nicht privat, deshalb steht sie hier nicht.',
  },
}

/** The topic of all reports about a person. */
export const reportTopic = (language: PageLanguage, sender: string): string => inLanguages[language].topic(sender)

/** The report as Markdown. Quoted text mentions no user and cannot close its quotation. */
export function reportText(language: PageLanguage, report: Report): string {
  const { type, description, content } = report
  const words = inLanguages[language]
  const lines = [
    words.reported({ ...report, place: placeOf(words, report.place) }),
    `- ${words.reason}: **${words.reasons[type]}**`,
    ...(description === '' ? [] : [`- ${words.notes}:`, quoted(description)]),
    ...(content === null ? ['', words.secret] : ['']),
  ]
  const head = lines.join('\n')
  return content === null ? head : withQuote(head, content)
}

function placeOf({ to, toNobody, hidden }: Words, place: ReportedPlace): string {
  if ('others' in place) return place.others.length === 0 ? toNobody : to(place.others.join(', '))
  return place.channel === undefined ? hidden : `in ${place.channel}`
}
