import { z } from 'zod'
import { messageFlag } from '../resources/message.js'
import { conversationKey } from '../resources/place.js'
import { topicFor } from '../resources/topic.js'
import { type ClientState, ownId } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'
import { addUnread, clearUnread, insertId, removeUnread } from './unread.js'

const added = z.object({
  operation: z.literal('add').describe('Deprecated: the same as `op`.'),
  flag: messageFlag,
  messages: z.array(z.int()),
  all: z.boolean().describe('All unread messages are read; the list of ids is empty.'),
})

const mentioned = z.literal(true).optional()
const details = z.union([
  z.object({ type: z.literal('private'), mentioned, user_ids: z.array(z.int()) }),
  z.object({
    type: z.literal('stream'),
    mentioned,
    stream_id: z.int(),
    topic: z.string(),
    unmuted_stream_msg: z
      .boolean()
      .describe('Whether the message counts in `unread_msgs.count`: neither topic nor channel is muted.'),
  }),
])

const removed = z.object({
  operation: z.literal('remove').describe('Deprecated: the same as `op`.'),
  flag: messageFlag,
  messages: z.array(z.int()),
  all: z.literal(false),
  message_details: z
    .record(z.string(), details)
    .optional()
    .describe('Only for the flag `read`: the places of the messages by message id.'),
})

/** The place of a message that became unread. */
export type MessageDetails = FieldsOf<typeof details>
type FlagsAddPayload = Omit<FieldsOf<typeof added>, 'operation'>
type FlagsRemovePayload = Omit<FieldsOf<typeof removed>, 'operation' | 'all'> & {
  readonly empty_topic_display_name?: string
}

export const flagsAdd = defineEvent('update_message_flags/add', {
  doc: 'The user set a flag on messages. With `all`: all messages became read.',
  fields: added,
  render: (payload: FlagsAddPayload) => ({ operation: 'add' as const, ...payload }),
  apply: applyFlagsAdd,
})

export const flagsRemove = defineEvent('update_message_flags/remove', {
  doc: 'The user cleared a flag on messages.',
  fields: removed,
  dependsOn: ['empty_topic_name'],
  render: ({ empty_topic_display_name, message_details, ...rest }: FlagsRemovePayload, view) => ({
    operation: 'remove' as const,
    ...rest,
    all: false as const,
    ...(message_details && {
      message_details: Object.fromEntries(
        Object.entries(message_details).map(([id, details]) => [
          id,
          details.type === 'stream'
            ? { ...details, topic: topicFor(view, details.topic, empty_topic_display_name ?? '') }
            : details,
        ]),
      ),
    }),
  }),
  apply: applyFlagsRemove,
})

export function applyFlagsAdd(state: ClientState, { flag, messages, all }: z.output<typeof added>): void {
  if (flag === 'read') {
    if (all) clearUnread(state)
    else removeUnread(state, new Set(messages))
  } else if (flag === 'starred' && state.starred_messages) {
    for (const id of messages) insertId(state.starred_messages, id)
  }
}

export function applyFlagsRemove(
  state: ClientState,
  { flag, messages, message_details = {} }: z.output<typeof removed>,
): void {
  if (flag === 'starred' && state.starred_messages) {
    state.starred_messages = state.starred_messages.filter(id => !messages.includes(id))
  }
  if (flag !== 'read') return
  for (const [id, details] of Object.entries(message_details)) {
    const place =
      details.type === 'stream'
        ? { channelId: details.stream_id, topic: details.topic }
        : { direct: conversationKey(details.user_ids, ownId(state)) }
    addUnread(state, Number(id), place, details.mentioned === true)
  }
}
