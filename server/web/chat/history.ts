import type { AnyEvent } from '../../../shared/client/index.js'
import { applyEvent } from '../state/apply-event.js'
import type { ChatState, Feed, Message } from '../state/chat-state.js'
import { addPage, openFeed, type Page } from '../state/feeds.js'
import { addressOf, type Narrow } from '../state/narrow.js'
import { queryOf } from '../state/query.js'
import { termsOf } from '../state/terms.js'
import type { Chat } from './chat.js'

// A screen shows ten to thirty messages; users seldom scroll fast through more than a page.
const around = 60
const pageSize = 100
// The recent conversations are those of so many messages.
const conversationsFrom = 200

/** Events that change messages; they are applied again after a page of history, which may show an earlier state. */
const changing: ReadonlySet<string> = new Set(['update_message', 'delete_message', 'reaction', 'update_message_flags'])

/**
 * Opens a view at the message `near`, otherwise at its first unread message, or at the end, and fetches missing messages. A request
 * for `near` takes the place of one that is under way.
 */
export async function openView(chat: Chat, narrow: Narrow, near: number | null = null): Promise<void> {
  chat.change(state => void openFeed(state, narrow))
  const feed = feedOf(chat, narrow)
  if (!feed || (feed.isLoading && (near === null || near === feed.near))) return
  changeFeed(chat, narrow, opened => {
    opened.near = near
  })
  if (!feed.isStale && (near === null ? feed.ids.length > 0 && feed.foundNewest : feed.ids.includes(near))) {
    return changeFeed(chat, narrow, (known, state) => {
      known.unreadFrom = firstUnread(known, id => state.messages[id])
    })
  }
  const anchor = near === null ? anchorOf(chat, narrow) : { anchor: String(near) }
  await fetchPage(chat, narrow, 'whole', { num_before: around, num_after: around, ...anchor })
}

/** Where a view opens that no link leads to. */
function anchorOf(chat: Chat, narrow: Narrow): object {
  if (narrow.kind === 'recent') return { anchor: 'newest', num_before: conversationsFrom, num_after: 0 }
  if (narrow.kind !== 'search') return { anchor: 'first_unread' }
  const { near, since } = queryOf(chat.state, narrow.words)
  if (since !== undefined) return { anchor: 'date', anchor_date: since }
  return { anchor: near === undefined ? 'newest' : String(near) }
}

export async function loadOlder(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading || feed.isStale || feed.foundOldest || feed.ids.length === 0) return
  const anchor = { anchor: String(feed.ids[0]), include_anchor: false, num_before: pageSize, num_after: 0 }
  await fetchPage(chat, narrow, 'older', anchor)
}

export async function loadNewer(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading || feed.isStale || feed.foundNewest || feed.ids.length === 0) return
  const anchor = { anchor: String(feed.ids.at(-1)), include_anchor: false, num_before: 0, num_after: pageSize }
  await fetchPage(chat, narrow, 'newer', anchor)
}

/** Fetches the newest messages of a view that does not contain them yet. */
export async function loadNewest(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.foundNewest) return
  await fetchPage(chat, narrow, 'whole', { anchor: 'newest', num_before: pageSize, num_after: 0 })
}

function changeFeed(chat: Chat, narrow: Narrow, work: (feed: Feed, state: ChatState) => void): void {
  chat.change(state => {
    const feed = state.feeds[addressOf(narrow)]
    if (feed) work(feed, state)
  })
}

const feedOf = (chat: Chat, narrow: Narrow): Feed | undefined => chat.state.feeds[addressOf(narrow)]

async function fetchPage(chat: Chat, narrow: Narrow, end: 'whole' | 'older' | 'newer', where: object): Promise<void> {
  let request = 0
  changeFeed(chat, narrow, feed => {
    feed.isLoading = true
    request = ++feed.request
  })
  /** Unless a later request has taken the place of this one. */
  const answered = (work: (feed: Feed, state: ChatState) => void) =>
    changeFeed(chat, narrow, (feed, state) => {
      if (feed.request === request) work(feed, state)
    })
  try {
    await askForMessages(chat, { ...where, narrow: termsOf(chat.state, narrow) }, (page, applyMissed) =>
      answered((feed, state) => {
        addPage(state, feed, page, end)
        applyMissed(state)
        if (end === 'whole') feed.unreadFrom = firstUnread(feed, id => state.messages[id])
      }),
    )
  } catch (error) {
    answered(feed => {
      feed.isLoading = false
      feed.error = (error as Error).message
    })
  }
}

/** Fetches messages that no view needs to contain. Those that are gone are not in the answer. @throws {RequestError} */
export async function loadMessages(chat: Chat, ids: readonly number[]): Promise<void> {
  await askForMessages(chat, { message_ids: ids }, (page, applyMissed) =>
    chat.change(state => {
      for (const message of page.messages) state.messages[message.id] = message
      applyMissed(state)
    }),
  )
}

/** `answered` gets the messages, and a function that applies the changes of messages that came meanwhile. @throws {RequestError} */
async function askForMessages(
  chat: Chat,
  which: object,
  answered: (page: Page, applyMissed: (state: ChatState) => void) => void,
): Promise<void> {
  const missed: AnyEvent[] = []
  const unlisten = chat.client.on('*', event => {
    if (changing.has(event.type)) missed.push(event)
  })
  try {
    // The cast: the client package knows no answers of single operations.
    const page = (await chat.ask('GET', '/messages', {
      ...which,
      client_gravatar: true,
      apply_markdown: true,
      allow_empty_topic_name: true,
    })) as unknown as Page
    answered(page, state => {
      for (const event of missed) applyEvent(state, event, Date.now())
    })
  } finally {
    unlisten()
  }
}

/** Null in a search, and if earlier messages, which the page does not know yet, may be unread. */
function firstUnread(feed: Feed, messageOf: (id: number) => Message | undefined): number | null {
  if (feed.narrow.kind === 'search') return null
  const found = feed.ids.find(id => messageOf(id)?.flags.includes('read') === false) ?? null
  return feed.near !== null && !feed.foundOldest && found === feed.ids[0] ? null : found
}
