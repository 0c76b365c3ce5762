import type { AnyEvent } from '../../../shared/client/index.js'
import { placeOf } from '../../../shared/resources/place.js'
import { applyEvent } from '../state/apply-event.js'
import type { ChatState, Feed, Message, SearchSummary } from '../state/chat-state.js'
import { addPage, openFeed, type Page } from '../state/feeds.js'
import { addressOf, type Narrow, narrowOfPlace, type SearchNarrow } from '../state/narrow.js'
import { queryOf } from '../state/query.js'
import { termsOf } from '../state/terms.js'
import type { Chat } from './chat.js'

// A screen shows ten to thirty messages; users seldom scroll fast through more than a page.
const around = 60
const pageSize = 100
const mostRelevant = 100
// Around a result of a search: so many before, and as many after it.
const shownAround = 3
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
  if (narrow.kind === 'search' && narrow.byRelevance)
    return fetchPage(chat, narrow, 'whole', whatIsRelevant(chat, narrow))
  const anchor = near === null ? anchorOf(chat, narrow) : { anchor: String(near) }
  await fetchPage(chat, narrow, 'whole', { num_before: around, num_after: around, ...anchor })
  if (narrow.kind === 'search') await countResults(chat, narrow)
}

/** Counts the results of a search that are not all on the page, and asks what was meant by one without results. */
async function countResults(chat: Chat, narrow: SearchNarrow): Promise<void> {
  const feed = feedOf(chat, narrow)
  if (!feed || feed.error !== null || feed.isLoading) return
  const isWhole = feed.foundOldest && feed.foundNewest && feed.ids.length > 0
  if (isWhole) setSummary(chat, narrow, { count: feed.ids.length, hasMore: false })
  else await summarize(chat, narrow, 0)
}

/** The most relevant results, the best one first. */
async function whatIsRelevant(chat: Chat, narrow: SearchNarrow): Promise<Where> {
  return { message_ids: await summarize(chat, narrow, mostRelevant) }
}

/** Asks how many results there are, and for the ids of the most relevant ones. */
async function summarize(chat: Chat, narrow: SearchNarrow, num_relevant: number): Promise<readonly number[]> {
  const asked = { narrow: termsOf(chat.state, narrow), num_relevant }
  const { count, has_more, relevant, meant } = (await chat.ask(
    'GET',
    '/messages/search_summary',
    asked,
  )) as unknown as {
    readonly count: number
    readonly has_more: boolean
    readonly relevant: readonly number[]
    readonly meant?: string
  }
  setSummary(chat, narrow, { count, hasMore: has_more, ...(meant !== undefined && { meant }) })
  return relevant
}

const setSummary = (chat: Chat, narrow: SearchNarrow, summary: SearchSummary): void =>
  changeFeed(chat, narrow, feed => {
    feed.summary = summary
  })

/** Shows or hides the messages before and after a result of a search, where it was written. @throws {RequestError} */
export async function toggleAround(chat: Chat, narrow: SearchNarrow, message: Message): Promise<void> {
  if (feedOf(chat, narrow)?.around[message.id]) {
    return changeFeed(chat, narrow, feed => void delete feed.around[message.id])
  }
  const place = narrowOfPlace(placeOf(message, chat.state.user_id))
  const where = { anchor: String(message.id), num_before: shownAround, num_after: shownAround }
  await askForMessages(chat, { ...where, narrow: termsOf(chat.state, place) }, ({ messages }, applyMissed) =>
    changeFeed(chat, narrow, (feed, state) => {
      for (const one of messages) state.messages[one.id] = one
      applyMissed(state)
      feed.around[message.id] = messages.map(one => one.id).filter(id => id !== message.id)
    }),
  )
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

/** Parameters of the request for messages. */
interface Where {
  readonly message_ids?: readonly number[]
  readonly [parameter: string]: unknown
}

async function fetchPage(
  chat: Chat,
  narrow: Narrow,
  end: 'whole' | 'older' | 'newer',
  where: Where | Promise<Where>,
): Promise<void> {
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
    const asked = await where
    await askForMessages(chat, { ...asked, narrow: termsOf(chat.state, narrow) }, (page, applyMissed) =>
      answered((feed, state) => {
        addPage(state, feed, asked.message_ids ? inOrderOf(asked.message_ids, page) : page, end)
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

/** All messages of a view, in this order. */
function inOrderOf(ids: readonly number[], { messages }: Page): Page {
  const byId = new Map(messages.map(message => [message.id, message]))
  return { messages: ids.flatMap(id => byId.get(id) ?? []), found_oldest: true, found_newest: true }
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
export async function askForMessages(
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
