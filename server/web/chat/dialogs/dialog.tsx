import { type JSX, onCleanup, onMount, Show, Suspense } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { type Dialog as Opened, useView } from '../view.js'

/** A button that leads to another dialog. */
export interface Way {
  readonly title: string
  readonly to: Opened
}

interface DialogProps {
  readonly title: string
  readonly class?: string
  /** Before the title. */
  readonly back?: Way
  /** In place of closing what is open: it lies above another dialog. */
  readonly close?: () => void
  readonly children: JSX.Element
}

/** The browser's modal dialog element: it keeps the focus inside, closes with Escape and restores the focus. */
export function Dialog(props: DialogProps): JSX.Element {
  const view = useView()
  let element: HTMLDialogElement | undefined
  onMount(() => element?.showModal())
  onCleanup(() => element?.close())
  const close = () => (props.close ? props.close() : view.open(undefined))
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is that on what lies behind it
    <dialog
      class={`dialog card ${props.class ?? ''}`}
      ref={element}
      aria-label={props.title}
      onCancel={close}
      onClick={event => {
        if (event.target === element) close()
      }}
    >
      <header class="dialog-head">
        <Show when={props.back}>
          {back => <IconButton icon="back" label={back().title} work={() => view.open(back().to)} />}
        </Show>
        <h2 dir="auto">{props.title}</h2>
        <IconButton icon="close" label={t('words.close')} work={close} />
      </header>
      {/* It opens at once; what it asks the server for comes later, and does not take it away meanwhile. */}
      <Suspense>{props.children}</Suspense>
    </dialog>
  )
}
