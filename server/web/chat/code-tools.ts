import type { Playground } from '../../../shared/resources/playground.js'
import { t } from '../language/language.js'
import { copyText } from './copy-text.js'

const copiedMs = 2000

/**
 * Puts buttons on a block of code: one that copies it, and one for each website that runs its language. Their text is their label, so that the
 * text of the message stays what was written.
 */
export function offerCodeTools(block: HTMLElement, playgrounds: readonly Playground[]): void {
  const code = block.querySelector('pre')
  if (!code) return
  const tools = document.createElement('div')
  tools.className = 'code-tools'
  const language = block.getAttribute('data-code-language')?.toLowerCase()
  for (const playground of playgrounds) {
    if (playground.pygments_language.toLowerCase() === language) tools.append(opening(playground, code))
  }
  tools.append(copying(code))
  block.append(tools)
}

function toolOf(label: string, work: (button: HTMLButtonElement) => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = label
  button.addEventListener('click', () => void work(button))
  return button
}

function copying(code: HTMLElement): HTMLButtonElement {
  const button = toolOf(t('message.copyCode'), async button => {
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
  button.className = 'copy-code'
  return button
}

const opening = ({ name, url_template }: Playground, code: HTMLElement): HTMLButtonElement =>
  toolOf(t('message.openCode', name), async () => {
    const { parseTemplate } = await import('url-template')
    const address = parseTemplate(url_template).expand({ code: code.textContent ?? '' })
    window.open(address, '_blank', 'noopener,noreferrer')
  })
