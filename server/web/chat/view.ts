import { createContext, createSignal, onCleanup, useContext } from 'solid-js'
import { addressOf, type Narrow, narrowOf } from '../state/narrow.js'
import type { Drafts } from './composer/drafts.js'
import type { PeoplePanel } from './people/panel-state.js'
import type { Sending } from './sending.js'

/** The open view and the state of the page around it. */
export interface View {
  /** Undefined: the list of channels, which is a separate view on a phone. */
  readonly narrow: () => Narrow | undefined
  go(narrow: Narrow | undefined): void
  readonly dialog: () => Dialog | undefined
  open(dialog: Dialog | undefined): void
  readonly sending: Sending
  readonly drafts: Drafts
  readonly people: PeoplePanel
  /** The message that is being edited. */
  readonly editing: () => number | undefined
  edit(id: number | undefined): void
  /** Moves the focus to the composer. */
  focusComposer(): void
  composer: HTMLTextAreaElement | undefined
  /** Text to put into the composer. */
  readonly searchBox: { focus: () => void }
}

export type Dialog =
  | 'keys'
  | 'channels'
  | 'new-direct'
  | 'new-topic'
  | 'create-channel'
  | 'settings'
  | 'emoji'
  | 'picture'
  | 'status'
  | 'drafts'
  | 'avatar'
  | 'organization'
  | 'people'
  | 'snippets'
  | { readonly aboutMessage: number }
  | { readonly person: number }
  | { readonly move: MovedPlace }
  | { readonly channel: number; readonly tab?: ChannelTab }

/** A topic whose messages are to be moved: all, or those that a choice beginning with one message names. */
export interface MovedPlace {
  readonly channelId: number
  readonly topic: string
  readonly messageId?: number
}

/** A part of the dialog about a channel. */
export type ChannelTab = 'settings' | 'permissions' | 'members' | 'topics'

export const ViewContext = createContext<View>()

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('outside of the page')
  return view
}

/** The view in the URL's fragment. `go` writes the fragment, so that the browser's back and forward buttons work. */
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
