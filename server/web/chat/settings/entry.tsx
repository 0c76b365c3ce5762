import { createEffect, type JSX, Show } from 'solid-js'
import { ErrorNotice } from '../../look/error-notice.js'
import { SavingContext, useSaving } from '../dialogs/saving.js'
import { useView } from '../view.js'

interface EntryProps {
  /** Its name in addresses that lead to it. */
  readonly name?: string
  /** More words about it. */
  readonly hint?: string | undefined
  readonly children: JSX.Element
}

/** A setting or a form, with the reason beside it for which its last change was refused. An address with its name leads to it. */
export function Entry(props: EntryProps): JSX.Element {
  const view = useView()
  const saving = useSaving().part()
  let element: HTMLDivElement | undefined
  const isMeant = () => props.name !== undefined && view.settings()?.entry === props.name
  createEffect(() => {
    if (!isMeant()) return
    element?.scrollIntoView({ block: 'center' })
    element?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
  })
  return (
    <SavingContext.Provider value={saving}>
      <div class="setting" data-name={props.name} classList={{ meant: isMeant() }} ref={element}>
        {props.children}
        <Show when={props.hint}>
          <p class="quiet">{props.hint}</p>
        </Show>
        <ErrorNotice text={saving.error()} />
      </div>
    </SavingContext.Provider>
  )
}
