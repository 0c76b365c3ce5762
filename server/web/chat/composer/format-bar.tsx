import { createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon, type IconName } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import type { Format } from '../../state/formatting.js'
import { applyFormat } from './editing.js'

const formats: readonly { readonly format: Format; readonly icon: IconName; key?: string }[] = [
  { format: 'bold', icon: 'bold', key: 'B' },
  { format: 'italic', icon: 'italic', key: 'I' },
  { format: 'strike', icon: 'strike' },
  { format: 'link', icon: 'link', key: 'K' },
  { format: 'code', icon: 'code' },
  { format: 'quote', icon: 'quote' },
  { format: 'list', icon: 'list' },
  { format: 'numbers', icon: 'numbers' },
]

/** Buttons that format the selected text. On a phone another button shows them. */
export function FormatBar(props: { box: () => HTMLTextAreaElement | undefined; isDisabled?: boolean }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <IconButton
        icon="format"
        label={t('composer.formatting')}
        class="format-open"
        isExpanded={isOpen()}
        work={() => setOpen(!isOpen())}
      />
      <span class="format-bar" classList={{ open: isOpen() }} role="toolbar" aria-label={t('composer.formatting')}>
        <For each={formats}>
          {({ format, icon, key }) => (
            <button
              type="button"
              class="icon-button"
              aria-label={t(`composer.format.${format}`)}
              title={titleOf(format, key)}
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

function titleOf(format: Format, key: string | undefined): string {
  const title = t(`composer.format.${format}`)
  return key ? t('composer.withKey', title, `${t('keys.names.ctrl')}+${key}`) : title
}

/** How many characters are left, once few are. */
export function CharactersLeft(props: { left: number }): JSX.Element {
  return (
    <Show when={props.left <= 500}>
      <span class="characters-left" classList={{ over: props.left < 0 }} role="status">
        {props.left < 0 ? t('composer.over', -props.left) : t('composer.left', props.left)}
      </span>
    </Show>
  )
}
