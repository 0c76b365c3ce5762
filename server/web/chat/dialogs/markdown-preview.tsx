import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Preview } from '../composer/preview.js'
import './markdown-preview.css'

/** How people see a saved text in Markdown, once it is opened. */
export function MarkdownPreview(props: { content: string }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <details class="markdown-preview" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('composer.preview')}</summary>
      <Show when={isOpen()}>
        <Preview content={props.content} />
      </Show>
    </details>
  )
}
