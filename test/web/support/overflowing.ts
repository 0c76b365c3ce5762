import type { Page } from 'playwright-core'

/** What sticks out of the window to its sides, or out of its box where that cannot scroll. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].flatMap(element => {
    const box = element.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || element.closest('.unseen, svg, [hidden]')) return []
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    return box.left < -1 || box.right > innerWidth + 1 ? [element.className + ' ' + box.left + ' ' + box.right] : []
  }).concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls'] : [])`)
