import { createSignal } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { Suggestion } from '../../state/search-suggestions.js'
import type { Chat } from '../chat.js'
import { type Choosing, createChoosing } from '../choosing.js'

/** The suggestions for the text of the search box, of which at most one is chosen. */
export interface Suggesting {
  readonly choosing: Choosing<Suggestion>
  /** Call this after the text or the cursor changed. */
  look(): void
  /** Puts a suggestion into the box. */
  take(offer: Suggestion): void
}

export function createSuggesting(chat: Chat, box: () => HTMLInputElement): Suggesting {
  const [offers, setOffers] = createSignal<readonly Suggestion[]>([])
  const choosing = createChoosing(offers, -1)
  const look = () => {
    choosing.choose(-1)
    void chat.attempt(async () => {
      const { suggestionsFor } = await import('../../state/search-suggestions.js')
      const { value, selectionStart } = box()
      // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
      setOffers(suggestionsFor(unwrap(chat.state), value, selectionStart ?? 0, new Date()))
    })
  }
  return {
    choosing,
    look,
    take({ text, cursor }) {
      const input = box()
      input.value = text
      input.focus()
      input.setSelectionRange(cursor, cursor)
      look()
    },
  }
}
