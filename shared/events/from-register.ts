import { conversationKey } from '../resources/place.js'
import type { RealmBotObject } from '../resources/realm-bot.js'
import type { UnreadMsgs } from '../resources/unread.js'
import type { UserObject } from '../resources/user.js'
import type { UserTopic } from '../resources/user-topic.js'
import {
  type ById,
  type Channel,
  type ClientState,
  noteConversation,
  ownId,
  type Subscription,
  setUserTopic,
  type UserGroup,
} from './client-state.js'
import { addUnread } from './unread.js'

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
  const { profile_data, ...rest } = answer
  const listed = rest as Listed
  const state: ClientState = {
    ...rest,
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
  // The caller's, where the lists of users have none.
  const own = state.realm_users?.[ownId(state)]
  if (own && profile_data) own.profile_data = profile_data as UserObject['profile_data']
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
