import { createSignal } from 'solid-js'

type OnRow<Kind extends Event> = Kind & { readonly currentTarget: HTMLElement; readonly target: Element }

/** Whether a message shows its tools, and the events of its row that change it. */
interface ToolsShown {
  readonly isShown: () => boolean
  pointerMove(event: PointerEvent): void
  pointerLeave(event: OnRow<PointerEvent>): void
  focusIn(event: OnRow<FocusEvent>): void
  focusOut(event: OnRow<FocusEvent>): void
}

export function createToolsShown(): ToolsShown {
  const [isShown, show] = createSignal(false)
  return {
    isShown,
    // A finger leaves before the click comes: touch and keyboard show the tools by the focus. A mouse may be there already when the focus goes.
    pointerMove: event => event.pointerType === 'mouse' && show(true),
    pointerLeave: event => event.pointerType === 'mouse' && show(event.currentTarget.contains(document.activeElement)),
    // A tap on a button of the message gives it the focus: tools that appear now would take the click.
    focusIn: ({ target, currentTarget }) =>
      (target === currentTarget || target.matches(':focus-visible')) && show(true),
    focusOut: event => show(event.currentTarget.contains(event.relatedTarget as Node)),
  }
}
