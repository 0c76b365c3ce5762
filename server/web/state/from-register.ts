import { channelFrom, subscriptionFrom } from './channel-events.js'
import type { Channel, ChatState, Person, Presence, Subscription } from './chat-state.js'
import { emptyState } from './chat-state.js'
import { conversationKey } from './conversation.js'
import { personFrom } from './people-events.js'
import { setTopicPolicy } from './topics.js'
import { addUnread } from './unread.js'

/** The fetch types that the page needs (docs/protocol/register.md#fields). */
export const fetchTypes: readonly string[] = [
  'realm',
  'realm_user',
  'subscription',
  'user_topic',
  'message',
  'starred_messages',
  'recent_private_conversations',
  'update_message_flags',
  'presence',
]

export const capabilities = {
  bulk_message_deletion: true,
  empty_topic_name: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_avatar_url_field_optional: true,
  user_list_incomplete: true,
} as const

interface Registered {
  user_id: number
  realm_name: string
  realm_empty_topic_display_name?: string
  realm_users: Person[]
  realm_non_active_users?: Person[]
  cross_realm_bots?: Person[]
  subscriptions: (Channel & Subscription)[]
  unsubscribed: Channel[]
  never_subscribed: Channel[]
  user_topics: { stream_id: number; topic_name: string; visibility_policy: number }[]
  recent_private_conversations: { max_message_id: number; user_ids: number[] }[]
  starred_messages: number[]
  presences: Record<string, Presence>
  max_message_id: number
  can_create_public_streams?: boolean
  unread_msgs: {
    pms: { other_user_id: number; unread_message_ids: number[] }[]
    huddles: { user_ids_string: string; unread_message_ids: number[] }[]
    streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
    mentions: number[]
  }
}

/** The state from the answer of `register`. Each user costs one small object, since there may be ten thousand. */
export function stateFrom(answer: Record<string, unknown>): ChatState {
  const given = answer as unknown as Registered
  const state = emptyState()
  state.me = given.user_id
  state.organization = given.realm_name
  state.emptyTopicName = given.realm_empty_topic_display_name ?? state.emptyTopicName
  state.canCreateChannels = given.can_create_public_streams ?? false
  for (const one of [...given.realm_users, ...(given.cross_realm_bots ?? [])])
    state.people[one.user_id] = personFrom(one)
  for (const one of given.realm_non_active_users ?? []) {
    state.people[one.user_id] = { ...personFrom(one), is_active: false }
  }
  for (const one of given.subscriptions) state.subscriptions[one.stream_id] = subscriptionFrom(one)
  for (const one of [...given.subscriptions, ...given.unsubscribed, ...given.never_subscribed]) {
    state.channels[one.stream_id] = channelFrom(one)
  }
  for (const one of given.user_topics) setTopicPolicy(state, one)
  for (const { max_message_id, user_ids } of given.recent_private_conversations) {
    state.conversations[conversationKey(user_ids, state.me)] = max_message_id
  }
  state.starred = [...given.starred_messages]
  state.presences = given.presences
  state.maxMessageId = given.max_message_id
  readUnread(state, given.unread_msgs)
  return state
}

function readUnread(state: ChatState, { pms, huddles, streams, mentions }: Registered['unread_msgs']): void {
  const mentioned = new Set(mentions)
  const each = (ids: readonly number[], place: Parameters<typeof addUnread>[2]) => {
    for (const id of ids) addUnread(state, id, place, mentioned.has(id))
  }
  for (const one of pms) each(one.unread_message_ids, { direct: conversationKey([one.other_user_id], state.me) })
  for (const one of huddles) {
    each(one.unread_message_ids, { direct: conversationKey(one.user_ids_string.split(',').map(Number), state.me) })
  }
  for (const one of streams) each(one.unread_message_ids, { channelId: one.stream_id, topic: one.topic })
}
