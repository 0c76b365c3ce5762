import type { ReactionPayload } from '../events/reaction.js'
import type { RealmUserRemovePayload, RealmUserUpdatePayload } from '../events/realm-user.js'
import type { StreamUpdatePayload } from '../events/stream.js'
import type { PeersPayload, SubscriptionRemovePayload, SubscriptionUpdatePayload } from '../events/subscription.js'
import type { FlagsAddPayload, MessageDetails } from '../events/update-message-flags.js'
import type { ChannelObject } from '../resources/channel.js'
import type { EventMessage, MessageFlag, TopicLink } from '../resources/message.js'
import type { PersonalSettings } from '../resources/subscription.js'
import type { UserObject } from '../resources/user.js'
import type { WireEvent } from '../wire/frames.js'

/** Any event. Narrow it by `type`, or listen to one type: `on('message', …)`. */
export type AnyEvent = WireEvent

type Op<Name extends string, Fields> = { id: number; op: Name } & Fields
type TypeOf<Type extends string, Fields> = { id: number; type: Type } & Fields

/** Fields of message events: the message in the form that the queue's parameters select, and the receiver's flags. */
export interface MessageFields {
  message: EventMessage
  flags: MessageFlag[]
  /** Only in the queue that the request to send it named. */
  local_message_id?: string
}

export interface UpdateMessageFields {
  user_id: number | null
  edit_timestamp: number
  message_id: number
  message_ids: number[]
  flags: MessageFlag[]
  rendering_only: boolean
  stream_id?: number
  stream_name?: string
  new_stream_id?: number
  propagate_mode?: 'change_one' | 'change_later' | 'change_all'
  orig_subject?: string
  subject?: string
  topic_links?: TopicLink[]
  orig_content?: string
  orig_rendered_content?: string
  content?: string
  rendered_content?: string
  is_me_message?: boolean
}

/** With the capability bulk_message_deletion `message_ids`, without it `message_id`. */
export interface DeleteMessageFields {
  message_ids?: number[]
  message_id?: number
  message_type: 'private' | 'stream'
  stream_id?: number
  topic?: string
}

export type FlagsFields =
  | Op<'add', FlagsAddPayload & { operation: 'add' }>
  | Op<
      'remove',
      {
        operation: 'remove'
        flag: MessageFlag
        messages: number[]
        all: false
        message_details?: Record<string, MessageDetails>
      }
    >

export type SubscriptionFields =
  | Op<'add', { subscriptions: (ChannelObject & PersonalSettings)[] }>
  | Op<'remove', SubscriptionRemovePayload>
  | Op<'update', SubscriptionUpdatePayload>
  | Op<'peer_add' | 'peer_remove', PeersPayload>

export type StreamFields =
  | Op<'create', { streams: ChannelObject[] }>
  | Op<'delete', { streams: { stream_id: number }[]; stream_ids: number[] }>
  | Op<'update', StreamUpdatePayload>

export type RealmUserFields =
  | Op<'add', { person: UserObject }>
  | Op<'update', RealmUserUpdatePayload>
  | Op<'remove', RealmUserRemovePayload>

export interface TypingFields {
  op: 'start' | 'stop'
  message_type: 'direct' | 'stream'
  sender: { user_id: number; email: string }
  recipients?: { user_id: number; email: string }[]
  stream_id?: number
  topic?: string
}

/** With the capability simplified_presence_events; without it the fields are those of the legacy format. */
export interface PresenceFields {
  presences?: Record<string, { active_timestamp: number; idle_timestamp: number }>
  [older: string]: unknown
}

interface Fields {
  message: MessageFields
  update_message: UpdateMessageFields
  delete_message: DeleteMessageFields
  update_message_flags: FlagsFields
  reaction: { op: 'add' | 'remove' } & ReactionPayload
  typing: TypingFields
  presence: PresenceFields
  subscription: SubscriptionFields
  stream: StreamFields
  realm_user: RealmUserFields
  heartbeat: object
}

/** The event types that have typed fields here: those that every chat client reads. All others are `AnyEvent`. */
export type KnownType = keyof Fields

/** The event of a type, `*` for any. */
export type EventOf<Type extends string> = Type extends KnownType ? TypeOf<Type, Fields[Type]> : AnyEvent
