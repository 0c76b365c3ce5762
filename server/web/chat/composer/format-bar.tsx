import { createSignal, For, type JSX, Show } from 'solid-js'
import { Icon, type IconName } from '../../look/icon.js'
import type { Format } from '../../state/formatting.js'
import { applyFormat } from './editing.js'

const formats: readonly { readonly format: Format; readonly icon: IconName; readonly title: string; key?: string }[] = [
  { format: 'bold', icon: 'bold', title: 'Bold', key: 'Ctrl+B' },
  { format: 'italic', icon: 'italic', title: 'Italic', key: 'Ctrl+I' },
  { format: 'strike', icon: 'strike', title: 'Strikethrough' },
  { format: 'link', icon: 'link', title: 'Link', key: 'Ctrl+K' },
  { format: 'code', icon: 'code', title: 'Code' },
  { format: 'quote', icon: 'quote', title: 'Quote' },
  { format: 'list', icon: 'list', title: 'List' },
  { format: 'numbers', icon: 'numbers', title: 'Numbered list' },
]

/** Buttons that format the selected text. On a phone another button shows them. */
export function FormatBar(props: { box: () => HTMLTextAreaElement | undefined; isDisabled?: boolean }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <button
        type="button"
        class="icon-button format-open"
        aria-label="Formatting"
        title="Formatting"
        aria-expanded={isOpen()}
        onClick={() => setOpen(!isOpen())}
      >
        <Icon name="format" />
      </button>
      <span class="format-bar" classList={{ open: isOpen() }} role="toolbar" aria-label="Formatting">
        <For each={formats}>
          {({ format, icon, title, key }) => (
            <button
              type="button"
              class="icon-button"
              aria-label={title}
              title={key ? `${title} (${key})` : title}
              disabled={props.isDisabled}
              // The text box keeps its selection.
              onPointerDown={event => event.preventDefault()}
              onClick={() => {
                const box = props.box()
                if (box) applyFormat(box, format)
              }}
            >
              <Icon name={icon} />
            </button>
          )}
        </For>
      </span>
    </>
  )
}

/** How many characters are left, once few are. */
export function CharactersLeft(props: { left: number }): JSX.Element {
  return (
    <Show when={props.left <= 500}>
      <span class="characters-left" classList={{ over: props.left < 0 }} role="status">
        {props.left < 0 ? `Too long by ${-props.left}` : `${props.left} left`}
      </span>
    </Show>
  )
}
