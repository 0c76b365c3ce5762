import type { Trace } from '../log.js'

/** A message as it is stored. Exactly one of `channel_id` and `conversation_id` is set. */
export interface MessageRow {
  id: number
  sender_id: number
  channel_id: number | null
  conversation_id: number | null
  topic: string
  content: string
  rendered_content: string
  date_sent: Date
  client: string
  read_by_sender: boolean
  /** By everybody who received it, but those with a flag that says otherwise. */
  read_by_all: boolean
  is_me_message: boolean
  /** Bit 1: the channel's subscribers as a whole, bit 2: the topic's participants. */
  wildcard_mentions: number
}

/** A message to be stored, and what must still hold in the database for it to be right. */
export interface NewMessage extends Omit<MessageRow, 'id'> {
  readonly renderer_version: number
  readonly has_link: boolean
  readonly has_image: boolean
  readonly has_attachment: boolean
  /** Flags that are set from the beginning, of single users. */
  readonly flags: readonly { readonly userId: number; readonly flags: number }[]
  /** Encoded events that announce it; the first one is its main one. */
  readonly entries: readonly Uint8Array[]
  /** organization.version that the permissions were decided with. */
  readonly organizationVersion: number
  /** channels.version of the row that permissions were decided with; 0 in conversations. */
  readonly channelVersion: number
  /** channels.subscribers_version that the audience was read with; 0 in conversations. */
  readonly subscribersVersion: number
  /** Whether to find out if it is the first of its topic that its sender can see: one more look into an index. */
  readonly asksForStart: boolean
  /** Whom to tell once its events are in the feed; not stored. */
  readonly trace?: Trace
}

export interface InsertedMessage {
  readonly id: number
  /** Outbox ids of the entries, in their order. */
  readonly outboxIds: readonly number[]
  readonly xid: string
  /** It is the first message of its channel, as far as the channel knows. */
  readonly isFirst: boolean
  /** It is the first of its topic that its sender can see. False also where nobody asked. */
  readonly isStart: boolean
}
