import type { z } from 'zod'
import type { channelObjectSchema } from '../resources/channel.js'
import { conversationKey } from '../resources/place.js'
import type { RealmBotObject } from '../resources/realm-bot.js'
import type { subscriptionSchema } from '../resources/subscription.js'
import { topicKey } from '../resources/topic.js'
import type { UnreadMsgs } from '../resources/unread.js'
import type { UserObject } from '../resources/user.js'
import type { userGroupObject } from '../resources/user-group.js'
import { type MutedTopic, type UserTopic, visibilityPolicy } from '../resources/user-topic.js'
import { addUnread, type Unread } from './unread.js'

export type ById<Thing> = Record<number, Thing>

/** A channel that the user is subscribed to. */
export type Subscription = z.output<typeof subscriptionSchema>
/** A channel that the user knows of; one that it was subscribed to has the fields of a subscription. */
export type Channel = z.output<typeof channelObjectSchema> & Partial<Subscription>
export type UserGroup = z.output<typeof userGroupObject>

/**
 * What a client knows of the server: the register answer (docs/protocol/register.md#fields) with records by id in place
 * of lists, so that an event changes one entry however large the organization is. `apply` of the events changes it.
 * A field is absent if the client did not request it. Fields that only one event type changes are declared in its file.
 */
export interface ClientState {
  user_id?: number
  realm_users?: ById<UserObject>
  realm_non_active_users?: ById<UserObject>
  /** The server's own bots. */
  cross_realm_bots?: ById<UserObject>
  realm_bots?: ById<RealmBotObject>
  realm_user_groups?: ById<UserGroup>
  streams?: ById<Channel>
  subscriptions?: ById<Subscription>
  unsubscribed?: ById<Channel>
  never_subscribed?: ById<Channel>
  /** By channel, by the key of the topic. */
  user_topics?: ById<Record<string, UserTopic>>
  muted_topics?: MutedTopic[]
  max_message_id?: number
  starred_messages?: number[]
  /** The newest message of each conversation, by its key. */
  recent_private_conversations?: Record<string, number>
  unread_msgs?: Unread
  presences?: Record<string, unknown>
}

/** The fields of a register answer that have another form in a client's state. */
interface Listed {
  user_id?: number
  realm_users?: UserObject[]
  realm_non_active_users?: UserObject[]
  cross_realm_bots?: UserObject[]
  realm_bots?: RealmBotObject[]
  realm_user_groups?: UserGroup[]
  streams?: Channel[]
  subscriptions?: Subscription[]
  unsubscribed?: Channel[]
  never_subscribed?: Channel[]
  user_topics?: UserTopic[]
  recent_private_conversations?: { max_message_id: number; user_ids: number[] }[]
  unread_msgs?: UnreadMsgs
}

/** The state of a client that begins with this register answer. */
export function clientState(answer: Readonly<Record<string, unknown>>): ClientState {
  const listed = answer as Listed
  const state: ClientState = {
    ...answer,
    ...(listed.realm_users && { realm_users: byId(listed.realm_users, 'user_id') }),
    ...(listed.realm_non_active_users && { realm_non_active_users: byId(listed.realm_non_active_users, 'user_id') }),
    ...(listed.cross_realm_bots && { cross_realm_bots: byId(listed.cross_realm_bots, 'user_id') }),
    ...(listed.realm_bots && { realm_bots: byId(listed.realm_bots, 'user_id') }),
    ...(listed.realm_user_groups && { realm_user_groups: byId(listed.realm_user_groups, 'id') }),
    ...(listed.streams && { streams: byId(listed.streams, 'stream_id') }),
    ...(listed.subscriptions && { subscriptions: byId(listed.subscriptions, 'stream_id') }),
    ...(listed.unsubscribed && { unsubscribed: byId(listed.unsubscribed, 'stream_id') }),
    ...(listed.never_subscribed && { never_subscribed: byId(listed.never_subscribed, 'stream_id') }),
    ...(listed.user_topics && { user_topics: {} }),
    ...(listed.recent_private_conversations && { recent_private_conversations: {} }),
    ...(listed.unread_msgs && { unread_msgs: { channels: {}, direct: {}, mentions: [] } }),
  }
  for (const topic of listed.user_topics ?? []) setUserTopic(state, topic)
  for (const { max_message_id, user_ids } of listed.recent_private_conversations ?? []) {
    noteConversation(state, conversationKey(user_ids, ownId(state)), max_message_id)
  }
  if (listed.unread_msgs) readUnread(state, listed.unread_msgs)
  return state
}

function byId<Key extends string, Thing extends Record<Key, number>>(list: readonly Thing[], key: Key): ById<Thing> {
  return Object.fromEntries(list.map(one => [one[key], one]))
}

function readUnread(state: ClientState, { pms, huddles, streams, mentions }: UnreadMsgs): void {
  const mentioned = new Set(mentions)
  const me = ownId(state)
  const places = [
    ...pms.map(one => ({ ids: one.unread_message_ids, direct: conversationKey([one.other_user_id], me) })),
    ...huddles.map(one => ({
      ids: one.unread_message_ids,
      direct: conversationKey(one.user_ids_string.split(',').map(Number), me),
    })),
    ...streams.map(one => ({ ids: one.unread_message_ids, channelId: one.stream_id, topic: one.topic })),
  ]
  for (const { ids, ...place } of places) for (const id of ids) addUnread(state, id, place, mentioned.has(id))
}

/** The user's id; 0 for a visitor, who has no messages of its own. */
export const ownId = (state: ClientState): number => state.user_id ?? 0

/** Keeps the newest message of a conversation. */
export function noteConversation(state: ClientState, key: string, messageId: number): void {
  const known = state.recent_private_conversations
  if (known) known[key] = Math.max(known[key] ?? 0, messageId)
}

/** Sets what the user wants of a topic; `inherit` removes the entry. */
export function setUserTopic(state: ClientState, topic: UserTopic): void {
  const all = state.user_topics
  if (!all) return
  const key = topicKey(topic.topic_name)
  if (topic.visibility_policy !== visibilityPolicy.inherit) {
    all[topic.stream_id] ??= {}
    Object.assign(all[topic.stream_id] as object, { [key]: topic })
    return
  }
  const ofChannel = all[topic.stream_id]
  if (!ofChannel) return
  delete ofChannel[key]
  if (Object.keys(ofChannel).length === 0) delete all[topic.stream_id]
}
