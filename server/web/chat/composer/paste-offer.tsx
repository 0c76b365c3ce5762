import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
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

interface Pasted {
  readonly start: number
  readonly text: string
  /** Of the whole text with the pasted one. */
  readonly length: number
}

/** Offers to make a code block of a pasted program. */
export function createPasteOffer(box: () => HTMLTextAreaElement | undefined): PasteOffer {
  const [pasted, setPasted] = createSignal<Pasted>()
  const [isOffered, setOffered] = createSignal(false)
  const withdraw = () => {
    setPasted(undefined)
    setOffered(false)
  }
  const accept = () => {
    const element = box()
    const given = pasted()
    withdraw()
    if (element && given)
      applyChange(element, codeBlock({ text: element.value, start: given.start, end: given.start + given.text.length }))
  }
  return {
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
    list: () => (
      <Show when={isOffered()}>
        <p class="paste-offer" role="status">
          <span>{t('composer.looksLikeCode')}</span>
          <button type="button" class="button" onClick={accept}>
            {t('composer.makeCode')}
          </button>
          <button type="button" class="icon-button" aria-label={t('composer.leaveIt')} onClick={withdraw}>
            <Icon name="close" size={16} />
          </button>
        </p>
      </Show>
    ),
  }
}
