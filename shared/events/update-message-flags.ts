import type { MessageFlag } from '../resources/message.js'
import { topicFor } from '../resources/topic.js'
import { defineEvent } from './event.js'
import { addUnread, clearUnread, removeUnread, type UnreadPlace } from './unread-state.js'

export interface FlagsAddPayload {
  readonly flag: MessageFlag
  readonly messages: readonly number[]
  /** All unread messages are read; the list of ids is empty. */
  readonly all: boolean
}

/** The place of a message that became unread. */
export type MessageDetails =
  | { readonly type: 'private'; readonly mentioned?: true; readonly user_ids: readonly number[] }
  | { readonly type: 'stream'; readonly mentioned?: true; readonly stream_id: number; readonly topic: string }

export interface FlagsRemovePayload {
  readonly flag: MessageFlag
  readonly messages: readonly number[]
  /** Only for the flag `read`, by message id. */
  readonly message_details?: Readonly<Record<string, MessageDetails>>
  readonly empty_topic_display_name?: string
}

export const flagsAdd = defineEvent<FlagsAddPayload>('update_message_flags/add', {
  doc: 'Messages got a flag of the user’s. With `all`: everything is read.',
  render: payload => ({ operation: 'add', ...payload }),
  apply(state, event) {
    const ids = event.messages as number[]
    if (event.flag === 'read') {
      if (event.all) clearUnread(state)
      else removeUnread(state, new Set(ids))
    } else if (event.flag === 'starred' && state.starred_messages) {
      state.starred_messages = [...new Set([...(state.starred_messages as number[]), ...ids])].sort((a, b) => a - b)
    }
  },
})

export const flagsRemove = defineEvent<FlagsRemovePayload>('update_message_flags/remove', {
  doc: 'Messages lost a flag of the user’s.',
  dependsOn: ['empty_topic_name'],
  render: ({ empty_topic_display_name, message_details, ...rest }, view) => ({
    operation: 'remove',
    ...rest,
    all: false,
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
  apply(state, event) {
    const ids = event.messages as number[]
    if (event.flag === 'starred' && state.starred_messages) {
      state.starred_messages = (state.starred_messages as number[]).filter(id => !ids.includes(id))
    }
    if (event.flag !== 'read') return
    for (const [id, details] of Object.entries(event.message_details as Record<string, MessageDetails>)) {
      const place: UnreadPlace =
        details.type === 'stream'
          ? { streamId: details.stream_id, topic: details.topic }
          : { userIds: details.user_ids }
      addUnread(state, Number(id), place, details.mentioned === true)
    }
  },
})
