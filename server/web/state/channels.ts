import type { Channel } from '../../../shared/events/client-state.js'
import type { ChatState } from './chat-state.js'

/** A channel that the user knows of, subscribed to it or not. */
export const channelOf = (state: ChatState, id: number): Channel | undefined =>
  state.subscriptions[id] ?? state.unsubscribed[id] ?? state.never_subscribed[id]

/** All channels that the user knows of and that are not archived. */
export const openChannels = (state: ChatState): Channel[] =>
  [state.subscriptions, state.unsubscribed, state.never_subscribed].flatMap(channels =>
    Object.values<Channel>(channels).filter(channel => !channel.is_archived),
  )
