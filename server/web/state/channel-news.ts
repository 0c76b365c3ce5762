import type { Message } from './chat-state.js'
import { isResolved } from './topics.js'

/** What stands in messages that the user has not read. */
export interface ChannelNews {
  readonly messages: number
  readonly people: number
  /** In seconds, of the oldest message. */
  readonly since: number
  /** Most messages first. */
  readonly topics: readonly { readonly name: string; readonly messages: number }[]
  /** Messages that a person has marked as a decision, newest first. */
  readonly decisions: readonly Message[]
  readonly mentions: readonly Message[]
}

// ✅, ✔ and ☑: with these a team marks what is agreed.
const agreed: ReadonlySet<string> = new Set(['2705', '2714', '2611'])

/** `messages` ascending; undefined without one. `mentions`: ids of messages that mention the user. */
export function newsOf(messages: readonly Message[], mentions: ReadonlySet<number>): ChannelNews | undefined {
  const [oldest] = messages
  if (!oldest) return undefined
  const topics = new Map<string, number>()
  for (const { subject } of messages) topics.set(subject, (topics.get(subject) ?? 0) + 1)
  const newest = messages.toReversed()
  return {
    messages: messages.length,
    people: new Set(messages.map(({ sender_id }) => sender_id)).size,
    since: oldest.timestamp,
    topics: [...topics].map(([name, messages]) => ({ name, messages })).sort((a, b) => b.messages - a.messages),
    decisions: newest.filter(({ reactions }) => reactions.some(({ emoji_code }) => agreed.has(emoji_code))),
    mentions: newest.filter(({ id }) => mentions.has(id)),
  }
}

/** The topics that were resolved. */
export const resolvedIn = ({ topics }: ChannelNews): string[] => topics.map(({ name }) => name).filter(isResolved)
