import type { Locator, Page } from 'playwright-core'

/** What sticks out of the window to its sides, or out of its box where that cannot scroll. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].flatMap(element => {
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || element.closest('.unseen, svg, [hidden]')) return []
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    return box.left < -1 || box.right > innerWidth + 1 ? [element.className + ' ' + box.left + ' ' + box.right] : []
  }).concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls'] : [])`)

/** Controls that a finger misses. */
export async function tooSmall(part: Locator): Promise<string[]> {
  const found: string[] = []
  for (const target of await part.locator('button, input, select, textarea, [role=option]').all()) {
    const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
    if (width < 40 || height < 40) found.push(`${await target.textContent()} is ${width} by ${height}`)
  }
  return found
}
