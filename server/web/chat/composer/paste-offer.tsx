import { createSignal, type JSX, Show } from 'solid-js'
import { Icon } from '../../look/icon.js'
import { codeBlock, isInCode, looksLikeCode } from '../../state/formatting.js'
import { applyChange } from './editing.js'

interface PasteOffer {
  /** Call this when text is pasted, before the browser inserts it. */
  pasted(event: ClipboardEvent): void
  /** Call this when the text changed. */
  changed(): void
  list(): JSX.Element
}

/** Offers to make a code block of a pasted program. */
export function createPasteOffer(box: () => HTMLTextAreaElement | undefined): PasteOffer {
  const [range, setRange] = createSignal<{ start: number; end: number; isFresh: boolean }>()
  const accept = () => {
    const element = box()
    const given = range()
    setRange(undefined)
    if (element && given) applyChange(element, codeBlock({ text: element.value, ...given }))
  }
  return {
    pasted(event) {
      const element = box()
      const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n') ?? ''
      if (!element || !looksLikeCode(text) || isInCode(element.value, element.selectionStart)) return
      const start = element.selectionStart
      setRange({ start, end: start + text.length, isFresh: true })
    },
    changed() {
      // The first change is that of the paste itself.
      setRange(given => (given?.isFresh ? { ...given, isFresh: false } : undefined))
    },
    list: () => (
      <Show when={range() && !range()?.isFresh}>
        <p class="paste-offer" role="status">
          <span>This looks like code.</span>
          <button type="button" class="button" onClick={accept}>
            Make it a code block
          </button>
          <button type="button" class="icon-button" aria-label="Leave as it is" onClick={() => setRange(undefined)}>
            <Icon name="close" size={16} />
          </button>
        </p>
      </Show>
    ),
  }
}
