import type { z } from 'zod'
import type { channelObjectSchema } from '../resources/channel.js'
import type { RealmBotObject } from '../resources/realm-bot.js'
import type { subscriptionSchema } from '../resources/subscription.js'
import { topicKey } from '../resources/topic.js'
import type { UserObject } from '../resources/user.js'
import type { userGroupObject } from '../resources/user-group.js'
import type { UserStatus } from '../resources/user-status.js'
import { type MutedTopic, type UserTopic, visibilityPolicy } from '../resources/user-topic.js'

export type ById<Thing> = Record<number, Thing>

/** A channel that the user is subscribed to. */
export type Subscription = z.output<typeof subscriptionSchema>
/** A channel that the user sees; one that it was subscribed to has the fields of a subscription. */
export type Channel = z.output<typeof channelObjectSchema> & Partial<Subscription>
export type UserGroup = z.output<typeof userGroupObject>

/** The unread messages of a client's state; ids ascending. */
export interface Unread {
  /** By channel, by the key of the topic; under the name that the newest message has. */
  channels: Record<number, Record<string, { name: string; ids: number[] }>>
  /** By the key of the conversation. */
  direct: Record<string, number[]>
  mentions: number[]
}

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
  /** Statuses by user id; users without one are absent. */
  user_status?: Record<string, UserStatus>
}

/** The user's id; 0 for a spectator, who has no messages of its own. */
export const ownId = (state: ClientState): number => state.user_id ?? 0

/** Keeps the newest message of a conversation. */
export function noteConversation(state: ClientState, key: string, messageId: number): void {
  const known = state.recent_private_conversations
  if (known) known[key] = Math.max(known[key] ?? 0, messageId)
}

/** Sets the user's visibility policy of a topic; `inherit` removes the entry. */
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
