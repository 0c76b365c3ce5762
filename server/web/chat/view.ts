import { createContext, createSignal, onCleanup, useContext } from 'solid-js'
import { addressOf, type Narrow, narrowOf } from '../state/narrow.js'
import type { Sending } from './sending.js'

/** What the user looks at, and what is open beside it. */
export interface View {
  /** Undefined: the list of channels, which on a phone is a view of its own. */
  readonly narrow: () => Narrow | undefined
  go(narrow: Narrow | undefined): void
  readonly dialog: () => Dialog | undefined
  open(dialog: Dialog | undefined): void
  readonly sending: Sending
  /** The message that is being edited. */
  readonly editing: () => number | undefined
  edit(id: number | undefined): void
  /** The composer: who wants to write, focuses it. */
  focusComposer(): void
  composer: HTMLTextAreaElement | undefined
  /** Text to put into the composer. */
  readonly searchBox: { focus: () => void }
}

export type Dialog = 'keys' | 'channels' | 'new-direct' | 'new-topic' | 'create-channel' | 'settings'

export const ViewContext = createContext<View>()

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('outside of the page')
  return view
}

/** What the address names; going somewhere writes it there, so that the browser's back and forward work. */
export function createAddress(me: () => number): { narrow: View['narrow']; go: View['go'] } {
  const read = () => narrowOf(location.hash, me())
  const [narrow, setNarrow] = createSignal<Narrow | undefined>(read())
  const listener = () => setNarrow(read())
  addEventListener('hashchange', listener)
  onCleanup(() => removeEventListener('hashchange', listener))
  return {
    narrow,
    go(to) {
      const address = to ? `#${addressOf(to)}` : '#'
      if (location.hash !== address) location.hash = address
      setNarrow(to)
    },
  }
}
