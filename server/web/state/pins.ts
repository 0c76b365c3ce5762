import { applySubscriptionUpdate } from '../../../shared/events/subscription.js'
import { channelsInOrder } from './channels.js'
import type { ChatState } from './chat-state.js'

// More than a user pins: a longer list in the storage would slow down each change of the sidebar.
const maxKept = 1000

/** The pinned channels in the order of the sidebar. */
export const pinnedChannels = (state: ChatState): number[] =>
  channelsInOrder(state).filter(id => state.subscriptions[id]?.pin_to_top)

/** Moves a pinned channel to the place of another one. False: one of them is not pinned, or they are the same. */
export function movePinned(state: ChatState, id: number, target: number): boolean {
  const order = pinnedChannels(state)
  const [from, to] = [order.indexOf(id), order.indexOf(target)]
  if (from < 0 || to < 0 || from === to) return false
  order.splice(to, 0, ...order.splice(from, 1))
  state.pinOrder = order
  return true
}

/** The ids in a kept order of pinned channels. Storage can hold anything; what is no id is left out. */
export function parsePinOrder(text: string | null): number[] {
  try {
    const kept = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(kept) ? [...new Set(kept.filter(Number.isSafeInteger))].slice(0, maxKept) : []
  } catch {
    return []
  }
}

/** A channel that is no longer pinned loses its place: pinned again, it comes after those with a place. */
export function subscriptionUpdated(state: ChatState, event: Parameters<typeof applySubscriptionUpdate>[1]): void {
  applySubscriptionUpdate(state, event)
  if (event.property === 'pin_to_top' && !event.value)
    state.pinOrder = state.pinOrder.filter(id => id !== event.stream_id)
}
