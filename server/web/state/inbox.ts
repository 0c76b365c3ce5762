import { isMuted } from '../../../shared/events/unread.js'
import { channelGroups } from './channels.js'
import type { ChatState } from './chat-state.js'
import type { Narrow } from './narrow.js'
import type { Section } from './sections.js'
import { isFollowed } from './topics.js'

/** A conversation with unread messages. */
export interface InboxEntry {
  readonly ids: readonly number[]
  /** One of them mentions the user. */
  readonly isMention: boolean
}

export interface InboxTopic extends InboxEntry {
  readonly name: string
  readonly isFollowed: boolean
}

interface InboxChannel {
  readonly channelId: number
  readonly topics: readonly InboxTopic[]
}

export interface Inbox {
  readonly direct: readonly (InboxEntry & { readonly key: string })[]
  /** In the order of the sidebar. */
  readonly sections: readonly { readonly section: Section; readonly channels: readonly InboxChannel[] }[]
}

/** What the user has not read, without what is muted; the newest conversations first. */
export function inboxOf(state: ChatState): Inbox {
  const { channels, direct, mentions } = state.unread_msgs
  const mentioned = new Set(mentions)
  const entry = (ids: readonly number[]): InboxEntry => ({ ids, isMention: ids.some(id => mentioned.has(id)) })
  const topicsOf = (channelId: number): InboxTopic[] =>
    Object.values(channels[channelId] ?? {})
      .filter(({ name }) => !isMuted(state, channelId, name))
      .map(({ name, ids }) => ({ ...entry(ids), name, isFollowed: isFollowed(state, channelId, name) }))
      .sort(newestFirst)
  const sections = channelGroups(state).map(group => ({
    section: group.section,
    channels: group.channels
      .map(channelId => ({ channelId, topics: topicsOf(channelId) }))
      .filter(({ topics }) => topics.length > 0),
  }))
  return {
    direct: Object.entries(direct)
      .map(([key, ids]) => ({ key, ...entry(ids) }))
      .sort(newestFirst),
    sections: sections.filter(({ channels }) => channels.length > 0),
  }
}

const newestFirst = (a: InboxEntry, b: InboxEntry): number => (b.ids.at(-1) ?? 0) - (a.ids.at(-1) ?? 0)

/** The conversations and topics in the order in which the inbox shows them. */
export const entriesOf = ({ direct, sections }: Inbox): InboxEntry[] => [
  ...direct,
  ...sections.flatMap(({ channels }) => channels.flatMap(({ topics }) => topics)),
]

/** A view with unread messages. */
export interface UnreadPlace {
  readonly narrow: Narrow
  readonly ids: readonly number[]
}

/** The views of the conversations and topics, in the same order. */
export const unreadPlaces = ({ direct, sections }: Inbox): UnreadPlace[] => [
  ...direct.map(({ key, ids }): UnreadPlace => ({ narrow: { kind: 'direct', key }, ids })),
  ...sections.flatMap(({ channels }) =>
    channels.flatMap(({ channelId, topics }) =>
      topics.map(({ name, ids }): UnreadPlace => ({ narrow: { kind: 'topic', channelId, topic: name }, ids })),
    ),
  ),
]

/** All unread messages in the inbox. */
export const idsOfInbox = (inbox: Inbox): number[] => entriesOf(inbox).flatMap(({ ids }) => ids)
