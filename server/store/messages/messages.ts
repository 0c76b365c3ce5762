import type { Trace } from '../../log.js'
import type { Claim } from '../jobs/jobs.js'
import type { RequestKey } from './idempotency-keys.js'

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
  /** Whether the message counts as read for all users who received it, except those with the flag `ownUnread`. */
  read_by_all: boolean
  is_me_message: boolean
  /** Bit 1: mentions all subscribers of the channel; bit 2: mentions all participants of the topic. */
  wildcard_mentions: number
}

/** What a message was until it was due. Its job locks it (docs/CONTRIBUTING.md#order-of-locks). */
export interface DueRow {
  readonly table: 'scheduled_messages' | 'reminders'
  readonly id: number
}

/** A message to store, and the versions that must still be current when it is stored. */
export interface NewMessage extends Omit<MessageRow, 'id'> {
  readonly renderer_version: number
  /** Its words, as the text of a `tsvector`. */
  readonly search: string
  /** Bytes of `widget`; 0 without one. */
  readonly submessage_bytes: number
  /** JSON text of its first submessage. */
  readonly widget?: string
  readonly has_link: boolean
  readonly has_image: boolean
  readonly has_attachment: boolean
  /** Initial flags of single users. */
  readonly flags: readonly { readonly userId: number; readonly flags: number }[]
  /** Receivers that muted the sender, so that the message is read from the start; ascending. */
  readonly readerIds: readonly number[]
  /** The uploaded files that it uses. */
  readonly attachmentIds: readonly number[]
  /** Whether it links to websites that are to be read (`website_work`). */
  readonly awaitsWebsites: boolean
  /**
   * Its encoded events: that of the message, possibly a second one for guests who may not see the sender, and that of the removal of `dueRow`.
   */
  readonly entries: readonly Uint8Array[]
  /** organization.version that the permissions were decided with. */
  readonly organizationVersion: number
  /** channels.version of the row that permissions were decided with; 0 in conversations. */
  readonly channelVersion: number
  /** channels.subscribers_version that the audience was read with; 0 in conversations. */
  readonly subscribersVersion: number
  /** Whether it matters if the message is the first of its topic, which takes one more index lookup. */
  readonly asksForStart: boolean
  /** A message with the same key is stored once. */
  readonly requestKey?: RequestKey
  /** The job whose work the message is: it ends in the same statement, and a message of a job that has ended is not stored. */
  readonly ends?: Claim
  /** Only with `ends`: the statement deletes this row, and does not store a message whose row is gone. */
  readonly dueRow?: DueRow
  /** The trace of the request, which gets the event ids after publishing; not stored. */
  readonly trace?: Trace
}

export interface InsertedMessage {
  readonly id: number
  /** `id` is the earlier message with the same idempotency key, or 0 if the job had ended or the due row was gone: nothing was stored. */
  readonly isRepeat: boolean
  /** Outbox ids of the entries, in their order. */
  readonly outboxIds: readonly number[]
  readonly xid: string
  /** The channel had no first message stored before this message. */
  readonly isFirst: boolean
  /** The message is the first of its topic that its sender can see; false without `asksForStart`. */
  readonly isStart: boolean
}
