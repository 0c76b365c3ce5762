import { createSignal } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { nextChoice, type Suggestion, suggestionsFor } from '../../state/search-suggestions.js'
import type { Chat } from '../chat.js'

/** The suggestions for the text of the search box, of which at most one is chosen. */
export interface Suggesting {
  readonly offers: () => readonly Suggestion[]
  /** The number of the chosen one; -1: none. */
  readonly at: () => number
  readonly chosen: () => Suggestion | undefined
  /** Call this after the text or the cursor changed. */
  look(): void
  /** Chooses the next one or the one before it. */
  step(by: 1 | -1): void
  /** Puts a suggestion into the box. */
  take(offer: Suggestion): void
}

export function createSuggesting(chat: Chat, box: () => HTMLInputElement): Suggesting {
  const [offers, setOffers] = createSignal<readonly Suggestion[]>([])
  const [at, setAt] = createSignal(-1)
  const look = () => {
    const { value, selectionStart } = box()
    setAt(-1)
    // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
    setOffers(suggestionsFor(unwrap(chat.state), value, selectionStart ?? 0, new Date()))
  }
  return {
    offers,
    at,
    chosen: () => offers()[at()],
    look,
    step: by => setAt(nextChoice(at(), by, offers().length)),
    take({ text, cursor }) {
      const input = box()
      input.value = text
      input.focus()
      input.setSelectionRange(cursor, cursor)
      look()
    },
  }
}
