import type { Locator, Page } from 'playwright-core'

/** Of an element: the program of the tests knows no document. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown }
}

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate(element => element === (element as unknown as Focusable).ownerDocument.activeElement)

/** Presses a key until the target has the focus. */
export async function reachByKey(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let steps = 0; !(await isFocused(target)); steps++) {
    if (steps > 60) throw new Error(`${key} does not reach ${target}`)
    await page.keyboard.press(key)
  }
}
