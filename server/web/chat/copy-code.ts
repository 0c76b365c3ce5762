import { t } from '../language/language.js'
import { copyText } from './copy-text.js'

const copiedMs = 2000

/** Puts a button on a block of code that copies it. Its text is its label, so that the text of the message stays what was written. */
export function offerCopy(block: HTMLElement): void {
  const code = block.querySelector('pre')
  if (!code) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy-code'
  button.ariaLabel = t('message.copyCode')
  button.addEventListener('click', async () => {
    if (!(await copyText(code.textContent ?? ''))) {
      // The user copies what is selected by the browser's own means.
      getSelection()?.selectAllChildren(code)
      return
    }
    button.ariaLabel = t('message.copiedCode')
    setTimeout(() => {
      button.ariaLabel = t('message.copyCode')
    }, copiedMs)
  })
  block.append(button)
}
