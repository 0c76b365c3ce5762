import { z } from 'zod'
import { submessage } from './submessage.js'

/** A user's flag on a message. `wildcard_mentioned` is the legacy name of both wildcard flags, sent in addition. */
export const messageFlag = z.enum([
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
])
export type MessageFlag = z.infer<typeof messageFlag>

/** The flags that a client may set. */
export const settableFlags = ['read', 'starred', 'collapsed'] as const
export type SettableFlag = (typeof settableFlags)[number]

/** Types of emoji: `service` stands for the brand. */
export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const

/** A reaction to a message. `reaction_type` may carry the brand (docs/protocol/conventions.md#brand). */
export const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string().meta({ enum: reactionTypes }),
  user_id: z.int(),
})
export type Reaction = z.infer<typeof reaction>

export const topicLink = z.object({ text: z.string(), url: z.string() })
export type TopicLink = z.infer<typeof topicLink>

export const dmParticipant = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})
export type DmParticipant = z.infer<typeof dmParticipant>

/** One change of a message, newest first in its history. */
export const editHistoryEntry = z.object({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
})
export type EditHistoryEntry = z.infer<typeof editHistoryEntry>

/** A state of a message in its history. */
export const messageSnapshot = z.object({
  content: z.string(),
  rendered_content: z.string(),
  topic: z.string(),
  user_id: z.int().nullable().describe('Who made this state; of the first one the sender.'),
  timestamp: z.int().describe('UNIX seconds.'),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional().describe('HTML with marked differences.'),
  prev_topic: z.string().optional(),
  stream: z.int().optional(),
  prev_stream: z.int().optional(),
})
export type MessageSnapshot = z.infer<typeof messageSnapshot>

export const eventMessage = z.object({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  sender_id: z.int(),
  sender_full_name: z.string(),
  sender_email: z.string(),
  sender_realm_str: z.string(),
  recipient_id: z.int(),
  stream_id: z.int().optional().describe('Only of messages to a channel.'),
  display_recipient: z.union([z.string(), z.array(dmParticipant)]).describe("The channel's name, or all participants."),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  subject: z.string().describe('The topic.'),
  topic_links: z.array(topicLink),
  timestamp: z.int(),
  client: z.string(),
  avatar_url: z.string().nullable().describe('Null: the client computes it.'),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
})
export type EventMessage = z.infer<typeof eventMessage>

/** A message in an answer to a request. */
export const messageObject = eventMessage.extend({
  flags: z.array(messageFlag),
  edit_history: z.array(editHistoryEntry).optional(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  match_content: z.string().optional().describe('HTML; only where the narrow has a search.'),
  match_subject: z.string().optional().describe('HTML; only where the narrow has a search.'),
})
export type MessageObject = z.infer<typeof messageObject>

/** A message before it is shaped for a client: both forms of its content, the stored topic, the avatar's address. */
export interface NeutralMessage extends Omit<EventMessage, 'content' | 'content_type' | 'avatar_url'> {
  readonly content: string
  readonly rendered_content: string
  readonly avatar_url: string
  /** A client may compute this avatar's address itself, if it requested client_gravatar. */
  readonly is_gravatar: boolean
  /** Only with the empty topic: the name of the topic for clients that do not know it. */
  readonly empty_topic_display_name?: string
}

export interface MessageForm {
  readonly apply_markdown: boolean
  readonly client_gravatar: boolean
  readonly empty_topic_name: boolean
}

/** The only function that shapes a message for a client. */
export function messageFor(form: MessageForm, message: NeutralMessage): EventMessage {
  const { stream_id, subject, empty_topic_display_name } = message
  // A literal: a rest pattern costs several times as much, for each message of each page.
  return {
    id: message.id,
    type: message.type,
    sender_id: message.sender_id,
    sender_full_name: message.sender_full_name,
    sender_email: message.sender_email,
    sender_realm_str: message.sender_realm_str,
    recipient_id: message.recipient_id,
    ...(stream_id !== undefined && { stream_id }),
    display_recipient: message.display_recipient,
    content: form.apply_markdown ? message.rendered_content : message.content,
    content_type: form.apply_markdown ? 'text/html' : 'text/x-markdown',
    subject: form.empty_topic_name ? subject : (empty_topic_display_name ?? subject),
    topic_links: message.topic_links,
    timestamp: message.timestamp,
    client: message.client,
    avatar_url: form.client_gravatar && message.is_gravatar ? null : message.avatar_url,
    is_me_message: message.is_me_message,
    reactions: message.reactions,
    submessages: message.submessages,
  }
}
