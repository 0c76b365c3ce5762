import type { InLanguages } from '../../text/page-language.js'

interface Greeting {
  readonly topic: string
  /** `organization`: Markdown. */
  readonly content: (organization: string) => string
}

/** The first message of a new organization, in its first channel. The page of the chat offers new users to write in the same topic. */
export const greetings: InLanguages<Greeting> = {
  en: {
    topic: 'introductions',
    content: organization =>
      `Welcome to ${organization}! All who join begin in this channel. Say in this topic who you are, and what you work on.`,
  },
  de: {
    topic: 'Vorstellungsrunde',
    content: organization =>
      `Willkommen bei ${organization}! Alle, die dazukommen, beginnen in diesem Kanal. Schreibt in dieses Thema, wer ihr seid und woran ihr arbeitet.`,
  },
}
