import { createEffect, createMemo, createSignal, on } from 'solid-js'
import { draftAt } from '../../state/drafts.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { placeOfNarrow } from '../../state/place.js'
import type { Chat } from '../chat.js'
import type { View } from '../view.js'

/** The text that the user writes in the open view. */
interface DraftText {
  /** The view, as drafts name it. */
  readonly address: () => string
  readonly text: () => string
  /** Shows another text, and keeps it as the view's draft. */
  write(text: string): void
}

/** Shows the draft of each view that opens, and what another window or device changes of it. */
export function createDraftText(chat: Chat, { drafts }: View, narrow: () => Narrow): DraftText {
  const [text, setText] = createSignal('')
  const address = () => addressOf(narrow())
  const changedElsewhere = createMemo(() => {
    const place = placeOfNarrow(narrow())
    return place && draftAt(chat.state, place)?.content
  })
  createEffect(on(address, now => setText(drafts.read(now))))
  createEffect(
    on(changedElsewhere, () => !drafts.isUnsaved(address()) && setText(drafts.read(address())), { defer: true }),
  )
  return {
    address,
    text,
    write(value) {
      setText(value)
      drafts.keep(address(), value)
    },
  }
}
