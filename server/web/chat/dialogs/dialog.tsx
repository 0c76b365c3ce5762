import { type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { useView } from '../view.js'

/** The browser's modal dialog element: it keeps the focus inside, closes with Escape and restores the focus. */
export function Dialog(props: { title: string; wide?: boolean; class?: string; children: JSX.Element }): JSX.Element {
  const view = useView()
  let element: HTMLDialogElement | undefined
  onMount(() => element?.showModal())
  onCleanup(() => element?.close())
  const close = () => view.open(undefined)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is that on what lies behind it
    <dialog
      class={`dialog card ${props.class ?? ''}`}
      classList={{ wide: props.wide }}
      ref={element}
      aria-label={props.title}
      onCancel={close}
      onClick={event => {
        if (event.target === element) close()
      }}
    >
      <header class="dialog-head">
        <h2 dir="auto">{props.title}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={t('words.close')}
          title={t('words.close')}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      {props.children}
    </dialog>
  )
}
