import { inlineStep } from '../language/page-language.js'

const buttonsOf = (bar: HTMLElement): HTMLElement[] => [...bar.querySelectorAll<HTMLElement>(':scope > button')]

/** Makes one button of a toolbar its stop of the Tab key: at first the first one, later the one that has had the focus last. */
export function setTabStop(bar: HTMLElement, stop: unknown = buttonsOf(bar)[0]): void {
  const buttons = buttonsOf(bar)
  if (!buttons.includes(stop as HTMLElement)) return
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}

/** Moves the focus to the next button of a toolbar, or the previous one, by the arrow keys; to the ends by Home and End. */
export function stepInToolbar(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const buttons = buttonsOf(event.currentTarget)
  const at = buttons.indexOf(event.target as HTMLElement)
  const step = inlineStep(event)
  const next = step === undefined ? { Home: 0, End: buttons.length - 1 }[event.key] : at + step + buttons.length
  if (at < 0 || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  buttons[next % buttons.length]?.focus()
}
