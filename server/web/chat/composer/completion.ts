import { createEffect, createSignal, on } from 'solid-js'
import { type Wanted, wantedAt } from '../../state/completion.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { type Choosing, createChoosing } from '../choosing.js'
import { keepMembers } from '../people/members.js'
import { type Offer, offersFor } from './offers.js'

/** Suggestions for the text before the cursor of a text box. */
export interface Completion {
  readonly choosing: Choosing<Offer>
  readonly isOpen: () => boolean
  /** Call this after the text or the cursor changed. */
  look(): void
  /** True if the list has handled the key. */
  key(event: KeyboardEvent): boolean
  /** Puts a suggestion into the text. */
  take(offer: Offer): void
  close(): void
}

/** Suggests users, channels, topics, emoji and commands. `narrow`: the view that is written in. */
export function createCompletion(narrow: () => Narrow, box: () => HTMLTextAreaElement | undefined): Completion {
  const chat = useChat()
  const [wanted, setWanted] = createSignal<Wanted>()
  const [offers, setOffers] = createSignal<readonly Offer[]>([])
  const choosing = createChoosing(offers, 0)
  // Without the members the suggestions only lack who is not among them.
  keepMembers(chat, () => {
    const to = narrow()
    return wanted()?.kind === 'person' && 'channelId' in to ? to.channelId : undefined
  })
  createEffect(
    on(wanted, now => {
      choosing.choose(0)
      if (!now) return setOffers([])
      // Ignore an answer to an earlier request.
      void offersFor(chat, narrow(), now).then(
        found => wanted() === now && setOffers(found),
        () => setOffers([]),
      )
    }),
  )
  const isOpen = () => wanted() !== undefined && offers().length > 0
  const close = () => setWanted(undefined)
  const take = (offer: Offer) => {
    const element = box()
    const now = wanted()
    if (!element || !now) return
    element.setRangeText(offer.text, now.from, element.selectionStart, 'end')
    element.dispatchEvent(new InputEvent('input', { bubbles: true }))
    element.focus()
    close()
  }
  return {
    choosing,
    isOpen,
    look: () => setWanted(now => sameOr(now, wantedIn(box()))),
    key(event) {
      if (!isOpen()) return false
      const chosen = choosing.chosen()
      if (event.key === 'Escape') close()
      else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) take(chosen)
      else if (!choosing.step(event)) return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    take,
    close,
  }
}

/** Nothing while text is selected. */
const wantedIn = (box: HTMLTextAreaElement | undefined): Wanted | undefined =>
  box && box.selectionStart === box.selectionEnd ? wantedAt(box.value.slice(0, box.selectionStart)) : undefined

/** The value before, if the next one equals it, so that nothing is fetched again. */
const sameOr = (before: Wanted | undefined, next: Wanted | undefined): Wanted | undefined =>
  before && next && JSON.stringify(before) === JSON.stringify(next) ? before : next
