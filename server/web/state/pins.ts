import { channelsInOrder } from './channels.js'
import type { ChatState } from './chat-state.js'

/** More than a user pins, and what the server keeps of the order. */
export const maxOrdered = 1000

/** The pinned channels in the order of the sidebar. */
export const pinnedChannels = (state: ChatState): number[] =>
  channelsInOrder(state).filter(id => state.subscriptions[id]?.pin_to_top)

/** The ids in an order of pinned channels that an earlier page kept. Storage can hold anything; what is no id is left out. */
export function parsePinOrder(text: string | null): number[] {
  try {
    const kept = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(kept) ? [...new Set(kept.filter(isId))].slice(0, maxOrdered) : []
  } catch {
    return []
  }
}

const isId = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
