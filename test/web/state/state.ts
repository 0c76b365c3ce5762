import { applyEvent } from '../../../server/web/state/apply-event.js'
import type { ChatState, Message, WireEvent } from '../../../server/web/state/chat-state.js'
import { emptyState } from '../../../server/web/state/chat-state.js'

/** The state of a user (1) who is subscribed to two channels (5, 6) and knows two other users (2, 3). */
export function someState(): ChatState {
  const state = emptyState()
  state.me = 1
  for (const id of [1, 2, 3]) {
    state.people[id] = {
      user_id: id,
      full_name: `Person ${id}`,
      email: `p${id}@x`,
      is_bot: false,
      is_guest: false,
      role: 400,
      is_active: true,
    }
  }
  for (const id of [5, 6]) {
    state.channels[id] = {
      stream_id: id,
      name: `channel ${id}`,
      description: '',
      invite_only: false,
      is_web_public: false,
      is_archived: false,
      subscriber_count: 3,
    }
    state.subscriptions[id] = { color: '#112233', is_muted: false, pin_to_top: false }
  }
  state.maxMessageId = 100
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
  for (const [index, event] of events.entries()) applyEvent(state, { id: index, ...event } as WireEvent, 1_000_000)
  return state
}

export const sent = (one: Omit<Message, 'flags'>, flags: string[] = [], more: object = {}) => ({
  type: 'message',
  message: one,
  flags,
  ...more,
})
