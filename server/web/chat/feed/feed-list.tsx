import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import { Virtualizer, type VirtualizerHandle } from 'virtua/solid'
import { placeKey } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Target } from '../../state/address.js'
import type { Feed } from '../../state/chat-state.js'
import { sameNarrow } from '../../state/narrow.js'
import { placeOfNarrow } from '../../state/place.js'
import { useChat } from '../chat.js'
import { loadNewer, loadNewest, loadOlder, openView } from '../history.js'
import { selectByKey } from '../selection.js'
import { useView } from '../view.js'
import { FeedItem } from './feed-item.js'
import { createHold, type Hold, isMeasured } from './hold.js'
import { itemsOf } from './items.js'
import { PlaceBar } from './place-bar.js'
import { messageIdOf, type Step, stepsBetween } from './steps.js'

// Closer to an end than this, the page fetches the next messages: about one screen ahead.
const nearPixels = 900
const endPixels = 60
// Rows within this distance of the visible area are in the document, so they are measured before they become visible.
const bufferPixels = 500
/** Distance in pixels of the first unread message from the top of an opened view; read messages and a line are above it. */
const unreadTop = 110
/** Distance in pixels of the message of a link from the top. */
const pointedTop = 150

/**
 * The messages of a view; only those near the visible area are in the document. The virtual list selects these; this
 * component sets the scroll position: at the end, or so that the message that the user reads does not move.
 */
export function FeedList(props: { feed: Feed }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const wanted = createMemo(() => itemsOf(chat.state, props.feed))
  const [shown, show] = createSignal<Step>({ items: [], shifts: false })
  const items = () => shown().items
  const [isAtEnd, setAtEnd] = createSignal(true)
  /** The message whose place all messages at the top have, if the heading with it is above them. */
  const [topPlace, setTopPlace] = createSignal<number>()
  // A message among results is not read in its place.
  const isSearch = () => props.feed.narrow.kind === 'search'
  let list: VirtualizerHandle | undefined
  let scroller!: HTMLDivElement
  let hold: Hold
  let hasPlaced = false
  // The offset after the last scrolling by code rather than by the user.
  let lastOffset = 0

  const fromEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
  /** Processes scrolling by the user since the last call. */
  const sense = () => {
    const by = scroller.scrollTop - lastOffset
    if (by === 0) return
    lastOffset = scroller.scrollTop
    hasPlaced = items().length > 0
    // New messages below do not count as leaving the end; only scrolling up does.
    if (fromEnd() < endPixels) setAtEnd(props.feed.foundNewest)
    else if (by < 0) setAtEnd(false)
    hold.take()
  }
  /** After a change of entries or their sizes: scrolls to the end, or back to the held message. */
  const settle = () => {
    if (items().length === 0) return
    const before = scroller.scrollTop
    if (isAtEnd()) scroller.scrollTop = scroller.scrollHeight
    const stands = isAtEnd() || hold.restore()
    lastOffset = scroller.scrollTop
    // Dispatched now, not in the next frame, so that the virtual list inserts the visible rows before the browser
    // paints.
    if (lastOffset !== before) scroller.dispatchEvent(new Event('scroll'))
    if (hasPlaced) hold.take()
    else {
      hasPlaced = isOpened && stands && lastOffset === before && isMeasured(scroller)
      // The first unread message may be within the last screen of the view.
      if (hasPlaced && fromEnd() < 1) setAtEnd(props.feed.foundNewest)
      if (hasPlaced) focusReached()
    }
    look()
  }
  const look = () => {
    // Until the view has reached its first position, visible messages do not count as seen.
    if (!hasPlaced) return
    if (!props.feed.foundNewest) setAtEnd(false)
    // That these are the newest messages may become known when the user is at their end already.
    else if (fromEnd() < 1) setAtEnd(true)
    if (scroller.scrollTop < nearPixels) void loadOlder(chat, props.feed.narrow)
    if (fromEnd() < nearPixels) void loadNewer(chat, props.feed.narrow)
    see()
    setTopPlace(placeAtTop())
  }
  const placeAtTop = () => {
    if (!list) return undefined
    const first = list.findItemIndex(scroller.scrollTop)
    const index = items().findLastIndex((item, at) => at <= first && item.startsWith('place:'))
    if (index < 0 || list.getItemOffset(index) >= scroller.scrollTop) return undefined
    return Number(items()[index]?.slice('place:'.length))
  }
  const see = () => {
    if (!list || !hasPlaced || view.keepsUnread() || isSearch()) return
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return
    const first = list.findItemIndex(scroller.scrollTop)
    const last = list.findItemIndex(scroller.scrollTop + scroller.clientHeight)
    const seen = items().slice(first, last + 1)
    view.reading.seen(seen.map(messageIdOf).filter(id => id !== undefined))
  }
  const toNewest = async () => {
    await loadNewest(chat, props.feed.narrow)
    setAtEnd(true)
    settle()
  }

  // A message that the user sends from an older place is among the newest ones.
  createEffect(
    on(
      () => chat.state.outbox.at(-1),
      last => {
        const place = placeOfNarrow(props.feed.narrow)
        if (last && place && !props.feed.foundNewest && placeKey(last.place) === placeKey(place)) void toNewest()
      },
      { defer: true },
    ),
  )

  let isOpened = false
  /** Opens a view at its first unread message, or at its end. */
  const open = () => {
    isOpened = true
    const unread = props.feed.unreadFrom
    const index = items().findIndex(item => messageIdOf(item) === unread)
    if (unread !== null && index >= 0) standAt(unread, index, unreadTop)
  }
  const standAt = (id: number, index: number, top: number) => {
    setAtEnd(false)
    hold.takeAt(id, top)
    scroller.scrollTop = (list?.getItemOffset(index) ?? 0) - top
  }
  let reached: Target | undefined
  let toFocus: number | undefined
  /** The keyboard continues at the message of a link, unless the user is writing. */
  const focusReached = () => {
    if (toFocus === undefined) return
    const row = scroller.querySelector<HTMLElement>(`[data-message-id="${toFocus}"]`)
    toFocus = undefined
    if (document.activeElement === document.body) row?.focus({ preventScroll: true })
  }
  /** Goes to the message of the address, once it is among the entries. True: it has just gone there. */
  const reach = () => {
    const target = view.target()
    if (!target?.near || target === reached || props.feed.isLoading) return false
    const index = items().findIndex(item => messageIdOf(item) === target.near)
    if (index < 0 || !sameNarrow(target.narrow, props.feed.narrow)) return false
    reached = target
    toFocus = target.near
    isOpened = true
    hasPlaced = false
    standAt(target.near, index, pointedTop)
    view.point(target.near)
    return true
  }
  const deliver = () => {
    if (!scroller.isConnected) return
    const [before, now] = [items(), wanted()]
    sense()
    if (now.at(-1) !== before.at(-1) && now.at(-1)?.startsWith('unsent:')) setAtEnd(true)
    for (const step of stepsBetween(before, now, hold.id())) show(step)
    if (!reach() && !isOpened && !props.feed.isLoading && now.length > 0) open()
    settle()
  }
  onMount(() => {
    hold = createHold(scroller)
    // In a microtask, outside Solid's batch, so that each step reaches the document; still before the browser paints.
    createEffect(on([wanted, () => props.feed.isLoading, view.target], () => queueMicrotask(deliver)))
  })
  createEffect(on(view.keepsUnread, keeps => !keeps && see(), { defer: true }))
  addEventListener('focus', see)
  document.addEventListener('visibilitychange', see)
  onCleanup(() => {
    removeEventListener('focus', see)
    document.removeEventListener('visibilitychange', see)
  })

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
      <Show when={chat.state.messages[topPlace() ?? -1]} keyed>
        {message => (
          <div class="top-place">
            <PlaceBar message={message} narrow={props.feed.narrow} />
          </div>
        )}
      </Show>
      <Show when={items().length === 0}>
        <div class="feed-empty">
          <Show when={!props.feed.isLoading} fallback={<p>{t('words.loading')}</p>}>
            <Icon name="topic" size={36} />
            <p>{props.feed.error ?? (isSearch() ? t('search.nothing') : t('feed.empty'))}</p>
            <Show when={props.feed.error}>
              <button type="button" class="button" onClick={() => void openView(chat, props.feed.narrow)}>
                {t('words.tryAgain')}
              </button>
            </Show>
          </Show>
        </div>
      </Show>
      <Show when={!isAtEnd() && items().length > 0}>
        <button type="button" class="to-end" onClick={() => void toNewest()}>
          <Icon name="down" size={16} /> {t('feed.newest')}
        </button>
      </Show>
    </div>
  )
}
