import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { placeBeside } from './beside.js'

interface MenuProps {
  readonly label: string
  readonly title?: string
  readonly buttonClass: string
  readonly button: JSX.Element
  /** The entries. `close` closes the menu and returns the focus to its button. */
  readonly children: (close: () => void) => JSX.Element
}

/**
 * A button and its menu, which is in the browser's top layer, so that nothing covers it. Escape and a click outside close it; arrow keys move between
 * its entries.
 */
export function Menu(props: MenuProps): JSX.Element {
  const id = createUniqueId()
  const [isOpen, setOpen] = createSignal(false)
  let button!: HTMLButtonElement
  let panel!: HTMLDivElement
  const toggled = (event: ToggleEvent) => {
    setOpen(event.newState === 'open')
    if (event.newState === 'open') placeBeside(panel, button)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // Keys of the page behind the menu have no meaning in it.
    event.stopPropagation()
    if (step === undefined) return
    event.preventDefault()
    const entries = [...panel.querySelectorAll<HTMLElement>('button, a')]
    const at = entries.indexOf(document.activeElement as HTMLElement)
    entries[(at + step + entries.length) % entries.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu's entries
    <div class="menu-place" onKeyDown={event => isOpen() && keys(event)}>
      <button
        type="button"
        class={props.buttonClass}
        ref={button}
        popovertarget={id}
        aria-expanded={isOpen()}
        aria-label={props.label}
        title={props.title}
      >
        {props.button}
      </button>
      <div class="menu card" id={id} popover="auto" ref={panel} onToggle={toggled}>
        <Show when={isOpen()}>{props.children(() => panel.hidePopover())}</Show>
      </div>
    </div>
  )
}
