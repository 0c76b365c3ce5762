import { createSignal } from 'solid-js'
import { codeBlock, isInCode, looksLikeCode } from '../../state/formatting.js'
import { applyChange } from './editing.js'

/** A pasted program, of which the page offers to make a code block. */
export interface CodePaste {
  readonly isOffered: () => boolean
  /** Call this when text is pasted, before the browser inserts it. */
  pasted(event: ClipboardEvent): void
  /** Call this when the text changed. */
  changed(): void
  /** Makes the code block. */
  accept(): void
  /** Leaves the text as it is. */
  withdraw(): void
}

interface Pasted {
  readonly start: number
  readonly text: string
  /** Of the whole text with the pasted one. */
  readonly length: number
}

export function createCodePaste(box: () => HTMLTextAreaElement | undefined): CodePaste {
  const [pasted, setPasted] = createSignal<Pasted>()
  const [isOffered, setOffered] = createSignal(false)
  const withdraw = () => {
    setPasted(undefined)
    setOffered(false)
  }
  return {
    isOffered,
    withdraw,
    pasted(event) {
      const element = box()
      const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n') ?? ''
      if (!element || !looksLikeCode(text) || isInCode(element.value, element.selectionStart)) return
      const { selectionStart: start, selectionEnd: end, value } = element
      setPasted({ start, text, length: value.length - (end - start) + text.length })
    },
    changed() {
      const value = box()?.value ?? ''
      const given = pasted()
      // The browser may insert the text in several steps.
      const isThere = given?.length === value.length && value.startsWith(given.text, given.start)
      if (!isThere && isOffered()) withdraw()
      else setOffered(isThere)
    },
    accept() {
      const element = box()
      const given = pasted()
      withdraw()
      if (element && given)
        applyChange(
          element,
          codeBlock({ text: element.value, start: given.start, end: given.start + given.text.length }),
        )
    },
  }
}
