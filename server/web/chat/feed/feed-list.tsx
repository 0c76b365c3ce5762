import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { VList, type VListHandle } from 'virtua/solid'
import { Icon } from '../../look/icon.js'
import type { Feed } from '../../state/feeds.js'
import { useChat } from '../chat.js'
import { loadNewer, loadNewest, loadOlder, openView } from '../history.js'
import { createReading } from '../reading.js'
import { FeedItem } from './feed-item.js'
import { type Item, itemsOf } from './items.js'

// Within this of an end, what is beyond it is fetched: about a screen before it is needed.
const nearPixels = 900
const endPixels = 60

interface Shown {
  readonly items: readonly Item[]
  /** More came in above and nothing below: the list keeps what is being read where it stands. */
  readonly shifts: boolean
}
const nothing: Shown = { items: [], shifts: false }

/** Messages of a view, of which only those in sight are in the document. */
export function FeedList(props: { feed: Feed }): JSX.Element {
  const chat = useChat()
  const shown = createMemo<Shown>(before => {
    const items = itemsOf(chat.state, props.feed)
    return { items, shifts: items.length > before.items.length && items.at(-1) === before.items.at(-1) }
  }, nothing)
  const items = () => shown().items
  const [isAtEnd, setAtEnd] = createSignal(true)
  const reading = createReading(chat)
  let list: VListHandle | undefined
  let hasPlaced = false
  let lastOffset = 0

  const look = () => {
    if (!list || items().length === 0) return
    lastOffset = list.scrollOffset
    const fromEnd = list.scrollSize - list.scrollOffset - list.viewportSize
    setAtEnd(fromEnd < endPixels && props.feed.foundNewest)
    // Before it stands where it should, nothing in sight was seen.
    if (!hasPlaced) return
    if (list.scrollOffset < nearPixels) void loadOlder(chat, props.feed.narrow)
    if (fromEnd < nearPixels) void loadNewer(chat, props.feed.narrow)
    see()
  }
  const see = () => {
    if (!list || document.visibilityState !== 'visible' || !document.hasFocus()) return
    const first = list.findItemIndex(list.scrollOffset)
    const last = list.findItemIndex(list.scrollOffset + list.viewportSize)
    reading.seen(
      items()
        .slice(first, last + 1)
        .flatMap(messageIdOf),
    )
  }
  const toEnd = () => list?.scrollToIndex(items().length - 1, { align: 'end' })
  const toNewest = async () => {
    await loadNewest(chat, props.feed.narrow)
    requestAnimationFrame(toEnd)
  }

  createEffect(
    on([items, () => props.feed.isLoading], ([now, isLoading]) => {
      if (now.length === 0 || !list) return
      if (!hasPlaced && !isLoading) {
        const unread = now.findIndex(item => item.startsWith('new:'))
        requestAnimationFrame(() => {
          if (unread >= 0) list?.scrollToIndex(unread, { align: 'start', offset: -80 })
          else toEnd()
          requestAnimationFrame(() => {
            hasPlaced = true
            look()
          })
        })
      } else if (isAtEnd() || now.at(-1)?.startsWith('unsent:'))
        requestAnimationFrame(() => {
          toEnd()
          look()
        })
    }),
  )
  // Pictures and folded text change sizes; who was at the end stays there, unless on the way up just now.
  const resized = () => {
    if (list && isAtEnd() && hasPlaced && list.scrollOffset >= lastOffset) toEnd()
    look()
  }
  addEventListener('focus', see)
  document.addEventListener('visibilitychange', see)
  onCleanup(() => {
    removeEventListener('focus', see)
    document.removeEventListener('visibilitychange', see)
  })

  return (
    <div
      class="feed"
      role="log"
      aria-live="polite"
      aria-relevant="additions"
      aria-label="Messages"
      aria-busy={props.feed.isLoading}
    >
      <VList
        ref={handle => {
          list = handle
        }}
        data={items()}
        shift={shown().shifts}
        onScroll={look}
        onResize={resized}
        class="feed-scroll"
      >
        {item => <FeedItem item={item} narrow={props.feed.narrow} />}
      </VList>
      <Show when={items().length === 0}>
        <div class="feed-empty">
          <Show when={!props.feed.isLoading} fallback={<p>Loading …</p>}>
            <Icon name="topic" size={36} />
            <p>{props.feed.error ?? 'No messages here yet.'}</p>
            <Show when={props.feed.error}>
              <button type="button" class="button" onClick={() => void openView(chat, props.feed.narrow)}>
                Try again
              </button>
            </Show>
          </Show>
        </div>
      </Show>
      <Show when={!isAtEnd() && items().length > 0}>
        <button type="button" class="to-end" onClick={() => void toNewest()}>
          <Icon name="down" size={16} /> Newest
        </button>
      </Show>
    </div>
  )
}

function messageIdOf(item: Item): number[] {
  const [kind, id] = item.split(':')
  return kind === 'head' || kind === 'tail' ? [Number(id)] : []
}
