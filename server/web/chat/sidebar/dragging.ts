import { listen } from '../../look/listen.js'
import { type Drop, dropOf, type Held } from '../../state/drops.js'
import type { Section } from '../../state/sections.js'
import { moveSection, moveToFolder, pinAt, setPinned } from '../arranging.js'
import type { Chat } from '../chat.js'
import type { Listing } from './listing.js'

/**
 * Drags channels and headings within the list. A row that is dropped elsewhere is the link that it is for the browser, whose data of the drag stay as
 * they are. Listeners of the list, because those of a thousand rows take long to add.
 */
export function dragInList(chat: Chat, listing: Listing, list: HTMLElement): void {
  let held: Held | undefined
  let marked: HTMLElement | undefined
  const mark = (element?: HTMLElement, edge = '') => {
    if (marked !== element) delete marked?.dataset.drop
    if (element) element.dataset.drop = edge
    marked = element
  }
  const end = () => {
    held = undefined
    mark()
    listing.setDragging(false)
  }
  /** The element below the pointer that stands for a place, and what would happen there. */
  const placeOf = (event: DragEvent): { readonly element: HTMLElement; readonly drop: Drop } | undefined => {
    const target = event.target as Element
    const section = target.closest<HTMLElement>('[data-section]')
    if (!held || !section) return undefined
    const row = target.closest<HTMLElement>('[data-channel]')
    const drop = dropOf(chat.state, held, {
      section: section.dataset.section as Section,
      ...(row && { channel: Number(row.dataset.channel) }),
    })
    const element = drop?.kind === 'pin' && drop.edge !== 'into' && row ? row : section
    return drop && { element, drop }
  }
  listen(list, 'dragstart', event => {
    held = heldBy((event as DragEvent).target as HTMLElement)
    // A change of the list at once would end the drag.
    if (held?.channel !== undefined) setTimeout(() => held && listing.setDragging(true))
  })
  listen(list, 'dragover', event => {
    const place = placeOf(event as DragEvent)
    mark(place?.element, place?.drop.edge)
    if (!place) return
    event.preventDefault()
    const { dataTransfer } = event as DragEvent
    if (dataTransfer) dataTransfer.dropEffect = 'move'
  })
  listen(list, 'dragleave', event => {
    if (!list.contains((event as DragEvent).relatedTarget as Node | null)) mark()
  })
  listen(list, 'drop', event => {
    const place = placeOf(event as DragEvent)
    if (place) {
      event.preventDefault()
      void chat.attempt(() => perform(chat, place.drop))
    }
    end()
  })
  listen(list, 'dragend', end)
}

/** The row of a channel or a heading; not a topic below the row. */
function heldBy(element: HTMLElement): Held | undefined {
  if (element.matches('[data-channel] > .row')) return { channel: Number(element.parentElement?.dataset.channel) }
  if (element.matches('.rows-head')) return { section: element.parentElement?.dataset.section as Section }
  return undefined
}

/** @throws {RequestError} */
function perform(chat: Chat, drop: Drop): Promise<unknown> {
  switch (drop.kind) {
    case 'section':
      return moveSection(chat, drop.section, drop.target)
    case 'pin':
      return pinAt(chat, drop.channel, drop.order)
    case 'unpin':
      return setPinned(chat, drop.channel, false)
    case 'folder':
      return moveToFolder(chat, drop.channel, drop.folder)
  }
}
