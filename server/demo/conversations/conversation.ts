import type { AccountName } from '../accounts.js'

/** What an account did with a message: the names of emoji, and who reacted with each. */
type Reactions = Readonly<Record<string, readonly AccountName[]>>

interface Said {
  /** `HH:MM` in UTC; later than the line before. */
  readonly at: string
  readonly from: AccountName
  readonly content: string
  readonly reactions?: Reactions
  /** A file of `pictures/`, shown below the text. */
  readonly picture?: string
  /** Indexes of the options of a poll that the accounts chose. */
  readonly votes?: Readonly<Partial<Record<AccountName, readonly number[]>>>
}

/** What was said in one place on one day. */
export interface Conversation {
  readonly to: { readonly channel: string; readonly topic: string } | readonly AccountName[]
  /** 0: today. */
  readonly daysAgo: number
  readonly said: readonly Said[]
}

export interface DemoMessage extends Said {
  readonly to: Conversation['to']
  readonly date: Date
}

const dayMs = 86_400_000
const gapMs = 60_000

/** The messages of all conversations in the order of their time. Those of today are moved back as far as is needed to end before `now`. */
export function inOrder(conversations: readonly Conversation[], now: number): DemoMessage[] {
  const midnight = now - (now % dayMs)
  const messages = conversations
    .flatMap(({ to, daysAgo, said }) =>
      said.map(one => ({ ...one, to, date: new Date(midnight - daysAgo * dayMs + minutesOf(one.at) * gapMs) })),
    )
    .sort((a, b) => a.date.getTime() - b.date.getTime())
  let latest = now
  return messages
    .reverse()
    .map(message => {
      latest = Math.min(message.date.getTime(), latest - gapMs)
      return { ...message, date: new Date(latest) }
    })
    .reverse()
}

function minutesOf(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return hours * 60 + minutes
}
