import { channelChanged, subscriptionChanged } from './channel-events.js'
import type { ChatState, WireEvent } from './chat-state.js'
import { flagsChanged } from './flag-events.js'
import { messageEdited, messageSent, messagesDeleted, reacted } from './message-events.js'
import { organizationChanged } from './organization-events.js'
import { personChanged, presenceChanged, typingChanged } from './people-events.js'
import { topicPolicyChanged } from './topics.js'

type Apply = (state: ChatState, event: WireEvent, now: number) => void

/** One function for each event type that the page registers for (shared/events). */
const applies: Readonly<Record<string, Apply>> = {
  message: messageSent,
  update_message: messageEdited,
  delete_message: messagesDeleted,
  reaction: reacted,
  update_message_flags: flagsChanged,
  subscription: subscriptionChanged,
  stream: channelChanged,
  user_topic: topicPolicyChanged,
  realm_user: personChanged,
  presence: presenceChanged,
  typing: typingChanged,
  realm: organizationChanged,
}

/** The event types of the page's queue. */
export const eventTypes: readonly string[] = Object.keys(applies)

/** Applies an event to the state. `now` in ms: typing notices expire. */
export function applyEvent(state: ChatState, event: WireEvent, now: number): void {
  applies[event.type]?.(state, event, now)
}
