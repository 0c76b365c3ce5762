import { createSignal, createUniqueId, For, type JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { type TextKey, t } from '../../language/language.js'
import { inlineStep } from '../../language/page-language.js'

export interface Tab {
  readonly title: TextKey
  readonly panel: () => JSX.Element
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The index of the tab that is open at first; below 0 or absent: the first one. */
  readonly first?: number
  /** Stays between the tabs and the open panel. */
  readonly children?: JSX.Element
}

/** Panels of which one is open; arrow keys change it. */
export function Tabs(props: TabsProps): JSX.Element {
  const id = createUniqueId()
  const [open, setOpen] = createSignal(Math.max(0, props.first ?? 0))
  let list: HTMLDivElement | undefined
  const keys = (event: KeyboardEvent) => {
    const step = inlineStep(event)
    if (step === undefined) return
    event.preventDefault()
    setOpen((open() + step + props.tabs.length) % props.tabs.length)
    list?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label} tabIndex={-1} ref={list} onKeyDown={keys}>
        <For each={props.tabs}>
          {({ title }, index) => (
            <button
              type="button"
              class="tab"
              role="tab"
              id={`${id}-${index()}`}
              aria-controls={`${id}-panel`}
              aria-selected={open() === index()}
              tabIndex={open() === index() ? 0 : -1}
              onClick={() => setOpen(index())}
            >
              {t(title)}
            </button>
          )}
        </For>
      </div>
      {props.children}
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open()}`}>
        <Dynamic component={props.tabs[open()]?.panel} />
      </div>
    </>
  )
}
