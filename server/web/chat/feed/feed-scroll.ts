import { createSignal } from 'solid-js'
import type { Target } from '../../state/address.js'
import type { Feed } from '../../state/chat-state.js'
import { sameNarrow } from '../../state/narrow.js'
import { createHold, isMeasured } from './hold.js'
import type { Item } from './items.js'
import { messagesBetween, placeAbove, type Rows } from './rows.js'
import { messageIdOf, type Step, stepsBetween } from './steps.js'

// Closer to an end than this, the page fetches the next messages: about one screen ahead.
const nearPixels = 900
const endPixels = 60
/** Distance in pixels of the first unread message from the top of an opened view; read messages and a line are above it. */
const unreadTop = 110
/** Distance in pixels of the message of a link from the top. */
const pointedTop = 150

/** The view that a list shows, and what follows from its scroll position. */
interface ScrolledView {
  readonly feed: () => Feed
  /** The entries that the list is to show. */
  readonly wanted: () => readonly Item[]
  readonly target: () => Target | undefined
  /** The oldest known message is near the visible area. */
  nearOldest(): void
  /** The newest known message is near the visible area. */
  nearNewest(): void
  /** Other messages may have become visible. */
  looked(): void
  /** The list has gone to the message of the address. */
  reached(id: number): void
}

/**
 * Sets the scroll position of a list of messages: at the end, or so that the message that the user reads does not move. The virtual list
 * selects the rows that are in the document.
 */
export class FeedScroll {
  private readonly _shown = createSignal<Step>({ items: [], shifts: false })
  private readonly atEnd = createSignal(true)
  private readonly _topPlace = createSignal<number>()
  /** The entries that the list shows. */
  readonly shown = this._shown[0]
  /** Whether the list follows new messages. */
  readonly isAtEnd = this.atEnd[0]
  private readonly setAtEnd = this.atEnd[1]
  /** The message whose place all messages at the top have, if the heading with it is above them. */
  readonly topPlace = this._topPlace[0]
  /** The virtual list, once it is there. */
  rows: Rows | undefined
  private readonly hold = createHold(() => this.scroller())
  // Whether the view has reached its first position.
  private hasPlaced = false
  private isOpened = false
  // The offset after the last scrolling by code rather than by the user.
  private lastOffset = 0
  private reached: Target | undefined
  private toFocus: number | undefined

  constructor(
    private readonly view: ScrolledView,
    private readonly scroller: () => HTMLElement,
  ) {}

  /** The list has scrolled. */
  scrolled(): void {
    this.sense()
    if (!this.hasPlaced) this.settle()
  }

  /** After a change of entries or their sizes: scrolls to the end, or back to the held message. */
  settle(): void {
    if (this.shown().items.length === 0) return
    const scroller = this.scroller()
    const before = scroller.scrollTop
    if (this.isAtEnd()) scroller.scrollTop = scroller.scrollHeight
    const stands = this.isAtEnd() || this.hold.restore()
    this.lastOffset = scroller.scrollTop
    // Dispatched now, not in the next frame, so that the virtual list inserts the visible rows before the browser
    // paints.
    if (this.lastOffset !== before) scroller.dispatchEvent(new Event('scroll'))
    if (this.hasPlaced) this.hold.take()
    else if (this.isOpened && stands && this.lastOffset === before && isMeasured(scroller)) this.placed()
    this.look()
  }

  /** After scrolling: fetches what is near, and reports what is visible. */
  look(): void {
    // Until the view has reached its first position, visible messages do not count as seen.
    if (!this.hasPlaced) return
    if (!this.view.feed().foundNewest) this.setAtEnd(false)
    // That these are the newest messages may become known when the user is at their end already.
    else if (this.fromEnd() < 1) this.setAtEnd(true)
    const { scrollTop } = this.scroller()
    if (scrollTop < nearPixels) this.view.nearOldest()
    if (this.fromEnd() < nearPixels) this.view.nearNewest()
    this.view.looked()
    this._topPlace[1](this.rows && placeAbove(this.shown().items, this.rows, scrollTop))
  }

  /** Ids of the visible messages; none before the first position is reached. */
  visible(): number[] {
    if (!this.rows || !this.hasPlaced) return []
    const { scrollTop, clientHeight } = this.scroller()
    return messagesBetween(this.shown().items, this.rows, scrollTop, scrollTop + clientHeight)
  }

  /** Follows new messages from now on. */
  toEnd(): void {
    this.setAtEnd(true)
    this.settle()
  }

  /** Shows the wanted entries; after a navigation, goes to the message of the address. */
  deliver(): void {
    if (!this.scroller().isConnected) return
    const [before, now] = [this.shown().items, this.view.wanted()]
    this.sense()
    if (now.at(-1) !== before.at(-1) && now.at(-1)?.startsWith('unsent:')) this.setAtEnd(true)
    for (const step of stepsBetween(before, now, this.hold.id())) this._shown[1](step)
    if (!this.reach() && !this.isOpened && !this.view.feed().isLoading && now.length > 0) this.open()
    this.settle()
  }

  private fromEnd(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller()
    return scrollHeight - scrollTop - clientHeight
  }

  /** Processes scrolling by the user since the last call. */
  private sense(): void {
    const { scrollTop } = this.scroller()
    const by = scrollTop - this.lastOffset
    if (by === 0) return
    this.lastOffset = scrollTop
    this.hasPlaced = this.shown().items.length > 0
    // New messages below do not count as leaving the end; only scrolling up does.
    if (this.fromEnd() < endPixels) this.setAtEnd(this.view.feed().foundNewest)
    else if (by < 0) this.setAtEnd(false)
    this.hold.take()
  }

  /** The view has reached its first position. */
  private placed(): void {
    this.hasPlaced = true
    // The first unread message may be within the last screen of the view.
    if (this.fromEnd() < 1) this.setAtEnd(this.view.feed().foundNewest)
    this.focusReached()
  }

  /** Opens a view at its first unread message, a search by relevance at its first result, or a view at its end. */
  private open(): void {
    this.isOpened = true
    const { unreadFrom, narrow } = this.view.feed()
    const index = this.indexOf(unreadFrom)
    if (narrow.kind === 'search' && narrow.byRelevance) this.standAtStart()
    else if (unreadFrom !== null && index >= 0) this.standAt(unreadFrom, index, unreadTop)
  }

  private standAtStart(): void {
    this.setAtEnd(false)
    this.scroller().scrollTop = 0
  }

  /** Goes to the message of the address, once it is among the entries. True: it has just gone there. */
  private reach(): boolean {
    const target = this.view.target()
    const { isLoading, narrow } = this.view.feed()
    if (!target?.near || target === this.reached || isLoading) return false
    const index = this.indexOf(target.near)
    if (index < 0 || !sameNarrow(target.narrow, narrow)) return false
    this.reached = target
    this.toFocus = target.near
    this.isOpened = true
    this.hasPlaced = false
    this.standAt(target.near, index, pointedTop)
    this.view.reached(target.near)
    return true
  }

  private indexOf(id: number | null): number {
    return this.shown().items.findIndex(item => messageIdOf(item) === id)
  }

  private standAt(id: number, index: number, top: number): void {
    this.setAtEnd(false)
    this.hold.takeAt(id, top)
    this.scroller().scrollTop = (this.rows?.getItemOffset(index) ?? 0) - top
  }

  /** The keyboard continues at the message of a link, unless the user is writing. */
  private focusReached(): void {
    if (this.toFocus === undefined) return
    const row = this.scroller().querySelector<HTMLElement>(`[data-message-id="${this.toFocus}"]`)
    this.toFocus = undefined
    if (document.activeElement === document.body) row?.focus({ preventScroll: true })
  }
}
