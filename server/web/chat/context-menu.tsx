import { createSignal, Index, type JSX, onMount } from 'solid-js'
import { listen } from '../look/listen.js'
import { placeAt } from './beside.js'
import { useChat } from './chat.js'
import { type Deed, DeedRow, stepInMenu } from './menu.js'
import { type MenuPlace, type MenuSubject, useView, type View } from './view.js'

// As long as browsers take for it. A finger does not keep quite still.
const pressMs = 500
const pressPixels = 10

// The browser's own menu is of use there.
const withOwnMenu = 'a, img, video, audio, input, textarea, summary, .widget'

type On<Kind extends Event> = Kind & { readonly currentTarget: HTMLElement }

/** Opens a menu by right click or the key for it. With Shift, and for selected text, the browser opens its own. */
export function menuByPointer(view: View, subject: MenuSubject, event: On<MouseEvent>): void {
  if (event.shiftKey || hasOwnMenu(event)) return
  event.preventDefault()
  // A long press has opened it.
  if (view.contextMenu()?.opener === event.currentTarget) return
  const { left, top } = event.currentTarget.getBoundingClientRect()
  // The key for it names no place.
  const isByKey = event.clientX === 0 && event.clientY === 0
  const [x, y] = isByKey ? [left + 60, top + 30] : [event.clientX, event.clientY]
  view.openContextMenu({ ...subject, x, y, opener: event.currentTarget })
}

/** Opens a menu by a long press: not every browser makes a `contextmenu` event of it. */
export function menuByPress(view: View, subject: MenuSubject, event: On<PointerEvent>): void {
  if (event.pointerType !== 'touch' || hasOwnMenu(event)) return
  const [opener, x, y] = [event.currentTarget, event.clientX, event.clientY]
  const over = new AbortController()
  const timer = setTimeout(() => {
    over.abort()
    keepRelease()
    view.openContextMenu({ ...subject, x, y, opener })
  }, pressMs)
  over.signal.addEventListener('abort', () => clearTimeout(timer))
  const moved = (to: PointerEvent) => Math.hypot(to.clientX - x, to.clientY - y) > pressPixels && over.abort()
  document.addEventListener('pointermove', moved, over)
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => over.abort(), over)
}

/** The end of a long press is no tap: the browser would press a button near the finger. */
function keepRelease(): void {
  const ended = new AbortController()
  const end = (event: TouchEvent) => {
    event.preventDefault()
    ended.abort()
  }
  for (const type of ['touchend', 'touchcancel'] as const)
    document.addEventListener(type, end, { passive: false, signal: ended.signal })
}

/** Not a link that has a menu itself. */
function hasOwnMenu({ target, currentTarget }: On<Event>): boolean {
  const own = (target as Element).closest(withOwnMenu)
  return own ? own !== currentTarget : getSelection()?.isCollapsed === false
}

interface ContextMenuProps {
  readonly place: MenuPlace
  readonly label: string
  readonly deeds: readonly Deed[]
  /** What stands above the entries; `close` closes the menu and returns the focus. */
  readonly head?: (close: () => void) => JSX.Element
}

/** Shows the menu at its place with the focus on its first entry, and closes it by a click elsewhere. */
function useOpening(place: MenuPlace, panel: () => HTMLElement) {
  const view = useView()
  const { opener } = place
  const giveFocusBack = () => opener.isConnected && opener.focus({ preventScroll: true })
  const close = (returnsFocus: boolean) => {
    view.openContextMenu(undefined)
    if (returnsFocus) giveFocusBack()
  }
  // Not a popover that closes by itself: it would close when the button of the mouse is released.
  const outside = (event: Event) => {
    if (!panel().contains(event.target as Node)) close(false)
  }
  onMount(() => {
    panel().showPopover()
    placeAt(panel(), place)
    panel().querySelector<HTMLElement>('.menu-row')?.focus()
    listen(document, 'pointerdown', outside, { capture: true })
  })
  return { close, giveFocusBack }
}

/** An open menu. */
export function ContextMenu(props: ContextMenuProps): JSX.Element {
  const chat = useChat()
  // A dangerous entry asks once more.
  const [isSure, setSure] = createSignal(false)
  let panel!: HTMLDivElement
  const { close, giveFocusBack } = useOpening(props.place, () => panel)
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      close(true)
    } else stepInMenu(panel, event)
  }
  const run = async (deed: Deed) => {
    if (deed.refusal) return
    if (deed.sure && !isSure()) return setSure(true)
    close(true)
    await chat.attempt(deed.work)
    // A row that moves in the list loses it.
    if (document.activeElement === document.body) giveFocusBack()
  }
  return (
    <div
      class="menu card"
      popover="manual"
      role="menu"
      aria-label={props.label}
      tabIndex={-1}
      ref={panel}
      onKeyDown={keys}
      onContextMenu={event => event.preventDefault()}
    >
      {props.head?.(() => close(true))}
      {/* By index, so that a change of an entry keeps the focus. */}
      <Index each={props.deeds}>
        {deed => <DeedRow deed={deed()} isSure={isSure()} role="menuitem" work={() => void run(deed())} />}
      </Index>
    </div>
  )
}
