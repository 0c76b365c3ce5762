import { applyEvent } from '../../../server/web/state/apply-event.js'
import type { ChatState, Message } from '../../../server/web/state/chat-state.js'
import { emptyState } from '../../../server/web/state/chat-state.js'
import type { AnyEvent } from '../../../shared/client/index.js'
import type { Subscription } from '../../../shared/events/client-state.js'
import type { ChannelFolder } from '../../../shared/resources/channel-folder.js'
import type { UserObject } from '../../../shared/resources/user.js'

/** The state of a user (1) who is subscribed to two channels (5, 6) and knows two other users (2, 3). */
export function someState(): ChatState {
  const state = emptyState()
  state.user_id = 1
  for (const id of [1, 2, 3]) {
    state.realm_users[id] = { user_id: id, full_name: `Person ${id}`, is_bot: false, role: 400 } as UserObject
  }
  for (const id of [5, 6]) {
    state.subscriptions[id] = {
      stream_id: id,
      name: `channel ${id}`,
      is_archived: false,
      subscriber_count: 3,
      is_muted: false,
    } as Subscription
  }
  state.max_message_id = 100
  return state
}

type Given = Partial<Omit<Message, 'flags'>> & { id: number }

/** A message to channel 5, topic "talk", from person 2, unless it says otherwise. */
export const message = (given: Given): Omit<Message, 'flags'> =>
  ({
    type: 'stream',
    stream_id: 5,
    display_recipient: 'channel 5',
    subject: 'talk',
    sender_id: 2,
    sender_full_name: 'Person 2',
    content: '<p>x</p>',
    timestamp: 1_700_000_000 + given.id,
    is_me_message: false,
    reactions: [],
    ...given,
  }) as Omit<Message, 'flags'>

export const direct = (given: Given, people: readonly number[]): Omit<Message, 'flags'> =>
  message({ type: 'private', stream_id: undefined, display_recipient: people.map(id => ({ id })) as never, ...given })

/** Applies events, numbered as they come. */
export function play(state: ChatState, ...events: Record<string, unknown>[]): ChatState {
  for (const [index, event] of events.entries()) applyEvent(state, { id: index, ...event } as AnyEvent, 1_000_000)
  return state
}

export const sent = (one: Omit<Message, 'flags'>, flags: string[] = [], more: object = {}) => ({
  type: 'message',
  message: one,
  flags,
  ...more,
})

export const someFolder = (id: number, name: string, order: number): ChannelFolder => ({
  id,
  name,
  order,
  description: '',
  rendered_description: '',
  date_created: 1,
  creator_id: null,
  is_archived: false,
})

/** The user is subscribed to these channels alone: ids from 0, names `c0`, `c1` …; folders 1, "Teams", and 2, "Projects". */
export function stateWithChannels(...channels: Partial<Subscription>[]): ChatState {
  const state = someState()
  state.subscriptions = {}
  state.channel_folders = [someFolder(1, 'Teams', 0), someFolder(2, 'Projects', 1)]
  for (const [stream_id, channel] of channels.entries()) {
    const plain = {
      stream_id,
      name: `c${stream_id}`,
      is_archived: false,
      is_muted: false,
      pin_to_top: false,
      folder_id: null,
    }
    state.subscriptions[stream_id] = { ...plain, is_recently_active: true, ...channel } as Subscription
  }
  return state
}
