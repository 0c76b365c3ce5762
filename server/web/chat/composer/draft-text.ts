import { createMemo } from 'solid-js'
import { partsOf, type TextWithFiles, textOf } from '../../state/attached-files.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import type { View } from '../view.js'

/** The draft of the open view, with what another window or device changes of it. */
interface DraftText {
  /** The view, as drafts name it. */
  readonly address: () => string
  /** The words, and behind them links to the files. */
  readonly text: () => string
  readonly words: () => string
  readonly files: () => readonly string[]
  change(parts: Partial<TextWithFiles>): void
}

export function createDraftText({ drafts }: View, narrow: () => Narrow): DraftText {
  const address = createMemo(() => addressOf(narrow()))
  const text = createMemo(() => drafts.read(address()))
  const parts = createMemo(() => partsOf(text()))
  return {
    address,
    text,
    words: createMemo(() => parts().words),
    files: () => parts().files,
    change: changed => drafts.keep(address(), textOf({ ...parts(), ...changed })),
  }
}
