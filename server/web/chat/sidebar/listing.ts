import { createContext, createMemo, createSelector, createSignal, mapArray, useContext } from 'solid-js'
import { channelGroups } from '../../state/channels.js'
import { channelIdOf } from '../../state/narrow.js'
import { arrangementOf, type Section, sectionsInOrder } from '../../state/sections.js'
import { unreadOfChannel } from '../../state/unread.js'
import type { Chat } from '../chat.js'
import type { View } from '../view.js'

/** What all sections of the sidebar have in common. */
export interface Listing {
  readonly sections: () => readonly Section[]
  /** The user's channels in this section. */
  channelsOf(section: Section): readonly number[]
  readonly openChannel: () => number | undefined
  isOpen(channelId: number): boolean
  /** Counted once, however many parts of the list show it. */
  unread(channelId: number): number
  isCollapsed(section: Section): boolean
  /** What the user looks for; empty: nothing. */
  readonly words: () => string
  find(words: string): void
  /** A channel is being dragged, so that sections without channels are places for it. */
  readonly isDragging: () => boolean
  setDragging(isDragging: boolean): void
}

const none: readonly number[] = []

export function createListing(chat: Chat, view: View): Listing {
  const [words, find] = createSignal('')
  const [isDragging, setDragging] = createSignal(false)
  const groups = createMemo(
    () => new Map(channelGroups(chat.state).map(({ section, channels }) => [section, channels])),
  )
  const ids = createMemo(() => [...groups().values()].flat())
  const counted = mapArray(ids, id => [id, createMemo(() => unreadOfChannel(chat.state, id))] as const)
  const counts = createMemo(() => new Map(counted()))
  const openChannel = createMemo(() => channelIdOf(view.narrow()))
  const isCollapsed = createSelector(
    () => new Set<string>(arrangementOf(chat.state).collapsed),
    (section: Section, collapsed) => collapsed.has(section),
  )
  return {
    sections: createMemo(() => sectionsInOrder(chat.state)),
    channelsOf: section => groups().get(section) ?? none,
    openChannel,
    isOpen: createSelector(openChannel),
    unread: id => counts().get(id)?.() ?? 0,
    isCollapsed: section => words() === '' && isCollapsed(section),
    words,
    find,
    isDragging,
    setDragging,
  }
}

export const ListingContext = createContext<Listing>()

export function useListing(): Listing {
  const listing = useContext(ListingContext)
  if (!listing) throw new Error('outside of the list')
  return listing
}
