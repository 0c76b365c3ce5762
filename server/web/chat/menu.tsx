import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Icon, type IconName } from '../look/icon.js'
import { placeBeside } from './beside.js'

/** An entry of a menu. */
export interface Deed {
  readonly icon: IconName
  readonly title: string
  /** A line stands above it. */
  readonly beginsGroup?: boolean
  /** The question before a deed that cannot be undone. */
  readonly sure?: string
  /** Why the server would refuse it; the entry shows it and does nothing. */
  readonly refusal?: string | undefined
  work(): unknown
}

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
  // The entries are there before the menu is shown, so that no key of a quick typist finds it empty.
  const toBeToggled = (event: ToggleEvent) => {
    if (event.newState === 'open') setOpen(true)
  }
  // They go after it is hidden, because the browser returns the focus from an entry to the button while it hides the menu.
  const toggled = (event: ToggleEvent) => {
    if (event.newState === 'open') placeBeside(panel, button)
    else setOpen(false)
  }
  const keys = (event: KeyboardEvent) => {
    // Keys of the page behind the menu have no meaning in it.
    event.stopPropagation()
    stepInMenu(panel, event)
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
      <div class="menu card" id={id} popover="auto" ref={panel} onBeforeToggle={toBeToggled} onToggle={toggled}>
        <Show when={isOpen()}>{props.children(() => panel.hidePopover())}</Show>
      </div>
    </div>
  )
}

interface MenuRowProps {
  readonly icon: IconName
  readonly title: string
  work(): unknown
}

/** An entry of a menu. */
export function MenuRow(props: MenuRowProps): JSX.Element {
  return (
    <button type="button" class="menu-row" onClick={() => props.work()}>
      <Icon name={props.icon} /> {props.title}
    </button>
  )
}

interface DeedRowProps {
  readonly deed: Deed
  /** A deed that cannot be undone shows its question. */
  readonly isSure: boolean
  readonly role?: 'menuitem'
  work(): unknown
}

/** An entry of a menu of deeds. What cannot be undone is red; what the server would refuse says why. */
export function DeedRow(props: DeedRowProps): JSX.Element {
  const isDangerous = () => props.deed.sure !== undefined && !props.deed.refusal
  return (
    <button
      type="button"
      class="menu-row"
      classList={{
        danger: isDangerous(),
        sure: isDangerous() && props.isSure,
        'begins-group': props.deed.beginsGroup === true,
      }}
      role={props.role}
      aria-disabled={props.deed.refusal ? true : undefined}
      onClick={() => props.work()}
    >
      <Icon name={props.deed.icon} />
      <span>
        {(isDangerous() && props.isSure && props.deed.sure) || props.deed.title}
        <Show when={props.deed.refusal}>
          <small class="menu-refusal">{props.deed.refusal}</small>
        </Show>
      </span>
    </button>
  )
}

/** Moves the focus to the next entry of a menu, or the previous one, by the arrow keys; to the ends by Home and End. */
export function stepInMenu(panel: HTMLElement, event: KeyboardEvent): void {
  const entries = [...panel.querySelectorAll<HTMLElement>('button, a')]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? entries.length - 1 : at - 1 + entries.length,
    Home: 0,
    End: entries.length - 1,
  }[event.key]
  if (next === undefined) return
  event.preventDefault()
  entries[next % entries.length]?.focus()
}
