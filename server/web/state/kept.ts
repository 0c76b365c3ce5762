import type { Position } from '../../../shared/client/index.js'
import type { ChatState, Feed, Message } from './chat-state.js'

/** The state at one moment, and the place in the queue of events that leads on from it. */
export interface Kept {
  readonly position: Position
  /** In ms. */
  readonly savedAt: number
  readonly state: ChatState
}

// What a user looks at again offline: the views of the last minutes, with some screens of each.
const viewsKept = 8
const messagesPerView = 200
/** Bound of the HTML of all kept messages, in characters. */
const contentKept = 2_000_000

/**
 * The part of the state that the browser keeps for the next start: all of the register answer, and the newest messages of the views that
 * were open last. Searches are not kept: only the server knows what belongs to them.
 */
export function keptState(state: ChatState): ChatState {
  const feeds: Record<string, Feed> = {}
  const messages: Record<number, Message> = {}
  let room = contentKept
  const latest = Object.entries(state.feeds)
    .filter(([, feed]) => feed.narrow.kind !== 'search' && feed.ids.length > 0)
    .sort(([, a], [, b]) => b.turn - a.turn)
  for (const [address, feed] of latest.slice(0, viewsKept)) {
    const ids = newestWithin(state, feed.ids.slice(-messagesPerView), room)
    if (ids.length === 0) break
    for (const id of ids) {
      const message = state.messages[id] as Message
      if (!messages[id]) room -= message.content.length
      messages[id] = message
    }
    feeds[address] = atRest(feed, ids)
  }
  return { ...state, feeds, messages, lateTopics: {}, typists: [], growing: {}, outbox: [], arranging: {} }
}

/** The longest end of the list whose messages are known and fit. */
function newestWithin(state: ChatState, ids: readonly number[], room: number): number[] {
  let left = room
  let first = ids.length
  while (first > 0) {
    left -= state.messages[ids[first - 1] as number]?.content.length ?? Infinity
    if (left < 0) break
    first--
  }
  return ids.slice(first)
}

/** A view without what only the running page knows of it. */
const atRest = (feed: Feed, ids: number[]): Feed => ({
  ...feed,
  ids,
  foundOldest: feed.foundOldest && ids.length === feed.ids.length,
  isLoading: false,
  request: 0,
  late: [],
  error: null,
  matches: {},
  around: {},
})

/**
 * Continues in a new state, whose queue does not follow the former one without a gap: what the user wrote and read stays, and the views
 * show what they showed until the page has fetched them again.
 */
export function carryOver(former: ChatState, fresh: ChatState): void {
  fresh.outbox = [...former.outbox]
  fresh.seen = [...former.seen]
  fresh.reacting = [...former.reacting]
  fresh.arranging = { ...former.arranging }
  for (const [address, feed] of Object.entries(former.feeds)) {
    if (feed.ids.length === 0) continue
    fresh.feeds[address] = { ...atRest(feed, feed.ids), matches: feed.matches, request: feed.request, isStale: true }
    for (const id of feed.ids) {
      const message = former.messages[id]
      if (message) fresh.messages[id] = message
    }
  }
}
