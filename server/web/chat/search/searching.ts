import { createSignal } from 'solid-js'
import type { Narrow } from '../../state/narrow.js'
import { placeOfSearch, searchBoxAct, searchFor } from '../../state/search.js'
import type { Chat } from '../chat.js'
import type { View } from '../view.js'
import { createSuggesting, type Suggesting } from './suggesting.js'

/** The search that the user writes. */
export interface Searching {
  readonly suggesting: Suggesting
  /** Whether the panel below the box is open. */
  readonly isOpen: () => boolean
  /** Opens it with the suggestions for the text at the cursor. */
  open(): void
  close(): void
  /** The place that the search is limited to, unless it `isEverywhere`. */
  readonly place: () => Narrow | undefined
  readonly isEverywhere: () => boolean
  setEverywhere(isEverywhere: boolean): void
  /** Shows the results. Without words the search ends. */
  submit(): void
  key(event: KeyboardEvent): void
}

export function createSearching(
  chat: Chat,
  view: View,
  narrow: () => Narrow | undefined,
  box: () => HTMLInputElement,
): Searching {
  const [isOpen, setOpen] = createSignal(false)
  const [isEverywhere, setEverywhere] = createSignal(false)
  const suggesting = createSuggesting(chat, box)
  const place = () => placeOfSearch(narrow())
  const leave = () => {
    setOpen(false)
    setEverywhere(false)
    if (narrow()?.kind !== 'search') return
    const within = place()
    if (within) view.go(within)
    else view.goHome()
  }
  const submit = () => {
    const search = searchFor(box().value, isEverywhere() ? undefined : place())
    if (!search) return leave()
    setOpen(false)
    view.go(search)
    box().blur()
  }
  const key = (event: KeyboardEvent) => {
    const chosen = isOpen() ? suggesting.choosing.chosen() : undefined
    const act = searchBoxAct(event.key, chosen !== undefined)
    if (act === 'leave') {
      event.stopPropagation()
      box().blur()
      return leave()
    }
    if (act === 'take' && chosen) suggesting.take(chosen)
    else if (suggesting.choosing.step(event)) setOpen(true)
    else return
    event.preventDefault()
  }
  const open = () => {
    setOpen(true)
    suggesting.look()
  }
  return { suggesting, isOpen, open, close: () => setOpen(false), place, isEverywhere, setEverywhere, submit, key }
}
