import type { AnyEvent } from '../../../shared/client/index.js'
import { applyEvent } from '../state/apply-event.js'
import type { Feed, Message } from '../state/chat-state.js'
import { addPage, openFeed, type Page } from '../state/feeds.js'
import { addressOf, type Narrow, termsOf } from '../state/narrow.js'
import type { Chat } from './chat.js'

// A screen shows ten to thirty messages; users seldom scroll fast through more than a page.
const around = 60
const pageSize = 100

/** Events that change messages; they are applied again after a page of history, which may show an earlier state. */
const changing: ReadonlySet<string> = new Set(['update_message', 'delete_message', 'reaction', 'update_message_flags'])

/** Opens a view at its first unread message, or at the end, and fetches missing messages. */
export async function openView(chat: Chat, narrow: Narrow): Promise<void> {
  chat.change(state => void openFeed(state, narrow))
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading) return
  if (feed.ids.length > 0 && feed.foundNewest) {
    chat.change(state => {
      const known = state.feeds[addressOf(narrow)]
      if (known) known.unreadFrom = firstUnread(known, id => state.messages[id])
    })
    return
  }
  const anchor = narrow.kind === 'search' ? 'newest' : 'first_unread'
  await fetchPage(chat, narrow, 'whole', { anchor, num_before: around, num_after: around })
}

export async function loadOlder(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading || feed.foundOldest || feed.ids.length === 0) return
  const anchor = { anchor: String(feed.ids[0]), include_anchor: false, num_before: pageSize, num_after: 0 }
  await fetchPage(chat, narrow, 'older', anchor)
}

export async function loadNewer(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading || feed.foundNewest || feed.ids.length === 0) return
  const anchor = { anchor: String(feed.ids.at(-1)), include_anchor: false, num_before: 0, num_after: pageSize }
  await fetchPage(chat, narrow, 'newer', anchor)
}

/** Fetches the newest messages of a view that does not contain them yet. */
export async function loadNewest(chat: Chat, narrow: Narrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.isLoading || feed.foundNewest) return
  await fetchPage(chat, narrow, 'whole', { anchor: 'newest', num_before: pageSize, num_after: 0 })
}

const feedOf = (chat: Chat, narrow: Narrow): Feed | undefined => chat.state.feeds[addressOf(narrow)]

async function fetchPage(chat: Chat, narrow: Narrow, end: 'whole' | 'older' | 'newer', where: object): Promise<void> {
  const address = addressOf(narrow)
  const missed: AnyEvent[] = []
  const unlisten = chat.client.on('*', event => {
    if (changing.has(event.type)) missed.push(event)
  })
  chat.change(state => {
    const feed = state.feeds[address]
    if (feed) feed.isLoading = true
  })
  try {
    const page = (await chat.ask('GET', '/messages', {
      ...where,
      narrow: termsOf(narrow),
      client_gravatar: true,
      apply_markdown: true,
      allow_empty_topic_name: true,
    })) as unknown as Page
    chat.change(state => {
      const feed = state.feeds[address]
      if (!feed) return
      addPage(state, feed, page, end)
      for (const event of missed) applyEvent(state, event, Date.now())
      if (end === 'whole') feed.unreadFrom = firstUnread(feed, id => state.messages[id])
    })
  } catch (error) {
    chat.change(state => {
      const feed = state.feeds[address]
      if (!feed) return
      feed.isLoading = false
      feed.error = (error as Error).message
    })
  } finally {
    unlisten()
  }
}

const firstUnread = (feed: Feed, messageOf: (id: number) => Message | undefined): number | null =>
  feed.ids.find(id => messageOf(id)?.flags.includes('read') === false) ?? null
