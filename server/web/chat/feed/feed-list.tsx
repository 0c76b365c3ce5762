import { createEffect, createMemo, type JSX, on, onMount, Show } from 'solid-js'
import { Virtualizer } from 'virtua/solid'
import { placeKey } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Feed } from '../../state/chat-state.js'
import { placeOfNarrow } from '../../state/place.js'
import { type Chat, useChat } from '../chat.js'
import { loadNewer, loadNewest, loadOlder } from '../history.js'
import { selectByKey } from '../selection.js'
import { useView, type View } from '../view.js'
import { EmptyFeed } from './empty-feed.js'
import { FeedItem } from './feed-item.js'
import { FeedScroll } from './feed-scroll.js'
import { itemsOf } from './items.js'
import { PlaceBar } from './place-bar.js'
import { readWhatIsSeen } from './read-what-is-seen.js'
import { messageIdOf } from './steps.js'

// Rows within this distance of the visible area are in the document, so they are measured before they become visible.
const bufferPixels = 500

/** The messages of a view; only those near the visible area are in the document. */
export function FeedList(props: { feed: Feed }): JSX.Element {
  const chat = useChat()
  const view = useView()
  let scroller!: HTMLDivElement
  const scroll = createScroll(
    chat,
    view,
    () => props.feed,
    () => scroller,
  )
  const toNewest = async () => {
    await loadNewest(chat, props.feed.narrow)
    scroll.toEnd()
  }
  followOwnMessages(chat, () => props.feed, toNewest)
  const edited = createMemo(() => {
    const id = view.editing()
    return id === undefined ? -1 : scroll.shown().items.findIndex(item => messageIdOf(item) === id)
  })
  const isEmpty = () => scroll.shown().items.length === 0
  return (
    <div class="feed">
      <div
        ref={scroller}
        class="feed-scroll"
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-label={t('feed.label')}
        aria-busy={props.feed.isLoading}
        onKeyDown={event => selectByKey(view.selection, event)}
        onScroll={() => scroll.scrolled()}
      >
        <Virtualizer
          ref={handle => {
            scroll.rows = handle
          }}
          data={scroll.shown().items}
          shift={scroll.shown().shifts}
          bufferSize={bufferPixels}
          // A change that is being written outlasts scrolling.
          keepMounted={edited() < 0 ? [] : [edited()]}
          onScroll={() => scroll.look()}
          onResize={() => scroll.settle()}
        >
          {item => <FeedItem item={item} narrow={props.feed.narrow} />}
        </Virtualizer>
      </div>
      <Show when={chat.state.messages[scroll.topPlace() ?? -1]} keyed>
        {message => (
          <div class="top-place">
            <PlaceBar message={message} narrow={props.feed.narrow} />
          </div>
        )}
      </Show>
      <Show when={isEmpty()}>
        <EmptyFeed feed={props.feed} />
      </Show>
      <Show when={!scroll.isAtEnd() && !isEmpty() && !isByRelevance(props.feed)}>
        <button type="button" class="to-end" onClick={() => void toNewest()}>
          <Icon name="down" size={16} /> {t('feed.newest')}
        </button>
      </Show>
    </div>
  )
}

// A message among results is not read in its place.
const isSearch = (feed: Feed): boolean => feed.narrow.kind === 'search'

const isByRelevance = ({ narrow }: Feed): boolean => narrow.kind === 'search' && narrow.byRelevance === true

/** Connects the scroll position with the view: what is near is fetched, and what is visible is read. */
function createScroll(chat: Chat, view: View, feed: () => Feed, scroller: () => HTMLElement): FeedScroll {
  const wanted = createMemo(() => itemsOf(chat.state, feed()))
  const scroll = new FeedScroll(
    {
      feed,
      wanted,
      target: view.target,
      nearOldest: () => void loadOlder(chat, feed().narrow),
      nearNewest: () => void loadNewer(chat, feed().narrow),
      looked: () => see(),
      reached: id => view.point(id),
    },
    scroller,
  )
  const see = readWhatIsSeen(view, () => (isSearch(feed()) ? [] : scroll.visible()))
  onMount(() => {
    // In a microtask, outside Solid's batch, so that each step reaches the document; still before the browser paints.
    createEffect(on([wanted, () => feed().isLoading, view.target], () => queueMicrotask(() => scroll.deliver())))
  })
  return scroll
}

/** A message that the user sends from an older place is among the newest ones. */
function followOwnMessages(chat: Chat, feed: () => Feed, toNewest: () => Promise<void>): void {
  createEffect(
    on(
      () => chat.state.outbox.at(-1),
      last => {
        const place = placeOfNarrow(feed().narrow)
        if (last && place && !feed().foundNewest && placeKey(last.place) === placeKey(place)) void toNewest()
      },
      { defer: true },
    ),
  )
}

/** What stands in place of messages: that they load, that there are none, or why they could not be loaded. */
