import { insertId } from '../../../shared/events/unread.js'
import type { ChatState, Feed, Message } from './chat-state.js'
import { addressOf, type Narrow } from './narrow.js'
import { matches } from './place.js'

/** The page keeps this many views; it fetches an evicted one again. */
const feedsKept = 24

export function openFeed(state: ChatState, narrow: Narrow): Feed {
  const address = addressOf(narrow)
  const turn = Math.max(0, ...Object.values(state.feeds).map(feed => feed.turn)) + 1
  state.feeds[address] ??= newFeed(narrow)
  // Read back, because a reactive store returns another object than it was given.
  const feed = state.feeds[address]
  feed.turn = turn
  const oldest = Object.values(state.feeds).sort((a, b) => b.turn - a.turn)
  for (const old of oldest.slice(feedsKept)) delete state.feeds[addressOf(old.narrow)]
  forgetMessages(state)
  return feed
}

const newFeed = (narrow: Narrow): Feed => ({
  narrow,
  ids: [],
  foundOldest: false,
  foundNewest: false,
  isLoading: false,
  request: 0,
  near: null,
  late: [],
  unreadFrom: null,
  error: null,
  isStale: false,
  matches: {},
  around: {},
  turn: 0,
})

/** Evicts messages that no view contains, once there are many. */
function forgetMessages(state: ChatState): void {
  const ids = Object.keys(state.messages)
  if (ids.length < 20_000) return
  const shown = new Set(Object.values(state.feeds).flatMap(feed => [...feed.ids, ...Object.values(feed.around).flat()]))
  for (const id of ids) if (!shown.has(Number(id))) delete state.messages[Number(id)]
}

interface FoundMessage extends Message {
  readonly match_content?: string
  readonly match_subject?: string
}

export interface Page {
  readonly messages: readonly FoundMessage[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

/** Adds a page of history. `end`: the end of the feed that it extends; `whole`: the first page of the feed. */
export function addPage(state: ChatState, feed: Feed, page: Page, end: 'whole' | 'older' | 'newer'): void {
  for (const { match_content, match_subject, ...message } of page.messages) {
    state.messages[message.id] = message
    if (match_content !== undefined) feed.matches[message.id] = { content: match_content, subject: match_subject ?? '' }
  }
  const ids = page.messages.map(message => message.id)
  if (end === 'whole') {
    feed.ids = ids
    feed.around = {}
    feed.isStale = false
  }
  if (end === 'older') feed.ids = [...ids.filter(id => id < (feed.ids[0] ?? Infinity)), ...feed.ids]
  if (end === 'newer') feed.ids = [...feed.ids, ...ids.filter(id => id > (feed.ids.at(-1) ?? 0))]
  if (end !== 'newer') feed.foundOldest = page.found_oldest
  if (end !== 'older') feed.foundNewest = page.found_newest
  feed.isLoading = false
  feed.error = null
  if (feed.foundNewest) for (const id of feed.late) insertId(feed.ids, id)
  feed.late = []
}

/** Adds a message that was sent, moved, or otherwise became visible. */
export function addToFeeds(state: ChatState, message: Message): void {
  for (const feed of Object.values(state.feeds)) {
    if (!matches(state, feed.narrow, message)) continue
    if (feed.isLoading) feed.late.push(message.id)
    if (feed.isStale) continue
    if (feed.foundNewest || message.id < (feed.ids.at(-1) ?? 0)) insertId(feed.ids, message.id)
  }
}

export function takeFromFeeds(state: ChatState, ids: ReadonlySet<number>, from = Object.values(state.feeds)): void {
  for (const feed of from) {
    if (feed.ids.some(id => ids.has(id))) feed.ids = feed.ids.filter(id => !ids.has(id))
    if (feed.late.length > 0) feed.late = feed.late.filter(id => !ids.has(id))
  }
}
