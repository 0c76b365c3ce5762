import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { Virtualizer, type VirtualizerHandle } from 'virtua/solid'
import { Icon } from '../../look/icon.js'
import type { Feed } from '../../state/feeds.js'
import { useChat } from '../chat.js'
import { loadNewer, loadNewest, loadOlder, openView } from '../history.js'
import { createReading } from '../reading.js'
import { FeedItem } from './feed-item.js'
import { createHold, type Hold, isMeasured } from './hold.js'
import { itemsOf } from './items.js'
import { messageIdOf, type Step, stepsBetween } from './steps.js'

// Within this of an end, what is beyond it is fetched: about a screen before it is needed.
const nearPixels = 900
const endPixels = 60
// What lies within this of what is in sight is in the document, and so is measured before it is seen.
const bufferPixels = 500
/** The first unread message of a view that is opened: below what was read before it, and the line between them. */
const unreadTop = 110

/**
 * Messages of a view, of which only those in sight are in the document. The virtual list knows which these are; where the
 * list is scrolled to is decided here: at its end, or so that the message that is read stays where it stands.
 */
export function FeedList(props: { feed: Feed }): JSX.Element {
  const chat = useChat()
  const wanted = createMemo(() => itemsOf(chat.state, props.feed))
  const [shown, show] = createSignal<Step>({ items: [], shifts: false })
  const items = () => shown().items
  const [isAtEnd, setAtEnd] = createSignal(true)
  const reading = createReading(chat)
  let list: VirtualizerHandle | undefined
  let scroller!: HTMLDivElement
  let hold: Hold
  let hasPlaced = false
  // Where all that is not the reader's own scrolling left the list.
  let lastOffset = 0

  const fromEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  /** What the reader scrolled since the last look. */
  const sense = () => {
    const by = scroller.scrollTop - lastOffset
    if (by === 0) return
    lastOffset = scroller.scrollTop
    hasPlaced = items().length > 0
    // What grows below leaves nobody behind: only who goes up leaves the end.
    if (fromEnd() < endPixels) setAtEnd(props.feed.foundNewest)
    else if (by < 0) setAtEnd(false)
    hold.take()
  }
  /** After entries or their sizes changed: to the end, or back to what is read. */
  const settle = () => {
    if (items().length === 0) return
    const before = scroller.scrollTop
    if (isAtEnd()) scroller.scrollTop = scroller.scrollHeight
    const stands = isAtEnd() || hold.restore()
    lastOffset = scroller.scrollTop
    // Told at once, not with the next frame: the virtual list puts in what came into sight before anything is painted.
    if (lastOffset !== before) scroller.dispatchEvent(new Event('scroll'))
    if (hasPlaced) hold.take()
    else {
      hasPlaced = isOpened && stands && lastOffset === before && isMeasured(scroller)
      // The first unread message may be among those with which the view ends.
      if (hasPlaced && fromEnd() < 1) setAtEnd(props.feed.foundNewest)
    }
    look()
  }
  const look = () => {
    // Before it stands where it should, nothing in sight was seen.
    if (!hasPlaced) return
    if (isAtEnd() && !props.feed.foundNewest) setAtEnd(false)
    if (scroller.scrollTop < nearPixels) void loadOlder(chat, props.feed.narrow)
    if (fromEnd() < nearPixels) void loadNewer(chat, props.feed.narrow)
    see()
  }
  const see = () => {
    if (!list || !hasPlaced || document.visibilityState !== 'visible' || !document.hasFocus()) return
    const first = list.findItemIndex(scroller.scrollTop)
    const last = list.findItemIndex(scroller.scrollTop + scroller.clientHeight)
    const seen = items().slice(first, last + 1)
    reading.seen(seen.map(messageIdOf).filter(id => id !== undefined))
  }
  const toNewest = async () => {
    await loadNewest(chat, props.feed.narrow)
    setAtEnd(true)
    settle()
  }

  let isOpened = false
  /** A view that was opened begins at its first unread message, or at its end. */
  const open = () => {
    isOpened = true
    const unread = props.feed.unreadFrom
    const index = items().findIndex(item => messageIdOf(item) === unread)
    if (unread === null || index < 0) return
    setAtEnd(false)
    hold.takeAt(unread, unreadTop)
    scroller.scrollTop = (list?.getItemOffset(index) ?? 0) - unreadTop
  }
  const deliver = () => {
    if (!scroller.isConnected) return
    const [before, now] = [items(), wanted()]
    sense()
    if (now.at(-1) !== before.at(-1) && now.at(-1)?.startsWith('unsent:')) setAtEnd(true)
    for (const step of stepsBetween(before, now, hold.id())) show(step)
    if (!isOpened && !props.feed.isLoading && now.length > 0) open()
    settle()
  }
  onMount(() => {
    hold = createHold(scroller)
    // Outside of Solid's own round of changes, so that each step reaches the document; still before anything is painted.
    createEffect(on([wanted, () => props.feed.isLoading], () => queueMicrotask(deliver)))
  })
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
      <div
        ref={scroller}
        class="feed-scroll"
        onScroll={() => {
          sense()
          if (!hasPlaced) settle()
        }}
      >
        <Virtualizer
          ref={handle => {
            list = handle
          }}
          data={items()}
          shift={shown().shifts}
          bufferSize={bufferPixels}
          onScroll={look}
          onResize={settle}
        >
          {item => <FeedItem item={item} narrow={props.feed.narrow} />}
        </Virtualizer>
      </div>
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
