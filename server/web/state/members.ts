import { channelOf } from './channels.js'
import type { ChatState } from './chat-state.js'

/** Records the subscribers of a channel, which `peer_add` and `peer_remove` then change. */
export function setMembers(state: ChatState, channelId: number, ids: readonly number[]): void {
  const channel = channelOf(state, channelId)
  if (!channel) return
  channel.subscribers = [...ids].sort((a, b) => a - b)
  channel.subscriber_count = ids.length
}
