import type { EventMessage } from '../../../shared/resources/message.js'
import type { Feed } from './feeds.js'
import type { Unsent } from './outbox.js'

export interface Person {
  readonly user_id: number
  full_name: string
  email: string
  is_bot: boolean
  is_guest: boolean
  role: number
  is_active: boolean
}

export interface Channel {
  readonly stream_id: number
  name: string
  description: string
  invite_only: boolean
  is_web_public: boolean
  is_archived: boolean
  subscriber_count: number
}

/** The user's settings for a subscribed channel. */
export interface Subscription {
  color: string
  is_muted: boolean
  pin_to_top: boolean
}

export interface Message extends EventMessage {
  flags: string[]
  last_edit_timestamp?: number
  match_content?: string
  match_subject?: string
}

export interface Topic {
  name: string
  max_id: number
}

export interface Presence {
  active_timestamp: number
  idle_timestamp: number
}

/** A user who is typing; the notice expires at `until`, in ms. */
export interface Typist {
  readonly userId: number
  readonly place: string
  until: number
}

export interface Unread {
  /** By channel, by the key of the topic; ids ascending. */
  channels: Record<number, Record<string, UnreadTopic>>
  /** By the key of the conversation. */
  direct: Record<string, number[]>
  mentions: number[]
}

export interface UnreadTopic {
  name: string
  ids: number[]
}

/**
 * The state of the page: plain records by id, so that an event changes one entry however large the organization is.
 * Only applyEvent and functions in this folder change it.
 */
export interface ChatState {
  me: number
  organization: string
  people: Record<number, Person>
  channels: Record<number, Channel>
  subscriptions: Record<number, Subscription>
  /** Topics of the channels whose topics were fetched; newest first. */
  topics: Record<number, Topic[]>
  /** By channel, by the key of the topic: 1 muted, 2 unmuted, 3 followed. */
  topicPolicies: Record<number, Record<string, number>>
  /** Conversations by key, with their newest message. */
  conversations: Record<string, number>
  unread: Unread
  starred: number[]
  presences: Record<number, Presence>
  typists: Typist[]
  messages: Record<number, Message>
  feeds: Record<string, Feed>
  outbox: Unsent[]
  maxMessageId: number
  emptyTopicName: string
  canCreateChannels: boolean
}

export function emptyState(): ChatState {
  return {
    me: 0,
    organization: '',
    people: {},
    channels: {},
    subscriptions: {},
    topics: {},
    topicPolicies: {},
    conversations: {},
    unread: { channels: {}, direct: {}, mentions: [] },
    starred: [],
    presences: {},
    typists: [],
    messages: {},
    feeds: {},
    outbox: [],
    maxMessageId: -1,
    emptyTopicName: 'general chat',
    canCreateChannels: false,
  }
}

/** An event on the wire. */
export type WireEvent = { readonly id: number; readonly type: string } & Record<string, unknown>
