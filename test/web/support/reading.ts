import type { Page } from 'playwright-core'

// Positions of messages in each painted frame. The programs are text, because the types of the tests contain no
// document.
export const tools = `
  const list = document.querySelector('.feed-scroll')
  const painted = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  const topOf = id => document.querySelector('[data-message-id="' + id + '"]')?.getBoundingClientRect().top ?? NaN
  // How far a message is from where it should be. A slow browser may paint before the list has put its rows together: for two
  // frames; longer is further away than anything.
  let missing = 0
  const offBy = (id, place) => {
    const off = Math.abs(topOf(id) - place)
    missing = Number.isNaN(off) ? missing + 1 : 0
    return missing === 0 ? off : missing > 2 ? 1e6 : 0
  }
  const shown = () => {
    const { top, bottom } = list.getBoundingClientRect()
    return [...document.querySelectorAll('[data-message-id]')].filter(row => {
      const place = row.getBoundingClientRect()
      return place.bottom > top && place.top < bottom - 20 && getComputedStyle(row).visibility === 'visible'
    })
  }
  // The first one that begins in the window.
  const inSight = () => {
    const { top } = list.getBoundingClientRect()
    return shown().find(row => row.getBoundingClientRect().top >= top)?.dataset.messageId
  }
  // All that is there is measured, and nothing comes any more.
  const rest = async (frames = 12) => {
    for (let [same, last] = [0, '']; same < frames; ) {
      await painted()
      const now = list.scrollTop + ' ' + list.scrollHeight
      same = now === last ? same + 1 : 0
      last = now
    }
  }
`

/** A condition of the page's own: its policy forbids what would look for it there. */
export async function until(page: Page, condition: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await page.evaluate(`Boolean(${condition})`))) {
    if (performance.now() > end) throw new Error(`never came: ${condition}`)
    await page.waitForTimeout(30)
  }
}

/** Waits until no row moves and all visible rows are loaded. */
export const atRest = async (page: Page): Promise<void> => {
  await page.evaluate(`(async () => { ${tools} await rest() })()`)
}

/** Watches a visible message in each frame. The test must not scroll meanwhile. */
export async function watch(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    ${tools}
    await rest()
    // One that is higher than the window may fill it.
    const id = inSight() ?? shown()[0]?.dataset.messageId
    const seen = window.seen = { place: topOf(id), moved: 0, isOver: false }
    if (Number.isNaN(seen.place)) throw new Error('nothing is in sight')
    seen.end = (async () => {
      while (!seen.isOver) {
        await painted()
        seen.moved = Math.max(seen.moved, offBy(id, seen.place))
      }
    })()
  })()`)
}

/** Waits until the list is at rest; returns the largest movement in pixels. */
export async function unwatch(page: Page): Promise<number> {
  const moved = await page.evaluate(`(async () => {
    ${tools}
    await rest()
    window.seen.isOver = true
    await window.seen.end
    return window.seen.moved
  })()`)
  return Number(moved)
}

/**
 * Scrolls up a little in each frame until this many pages have loaded. Returns how many pixels a visible message was at
 * most away from where the scrolling should have put it.
 */
export async function readUpwards(page: Page, pages: number): Promise<{ moved: number; pages: number }> {
  const result = await page.evaluate(`(async () => {
    ${tools}
    const frames = 6000
    let [moved, pages, height] = [0, 0, list.scrollHeight]
    for (let frame = 0; frame < frames && pages < ${pages}; ) {
      const id = inSight()
      let place = topOf(id)
      const { bottom } = list.getBoundingClientRect()
      // One frame where a single message fills the window, else as long as it is in sight.
      do {
        frame++
        // At the top there is less to scroll, as long as the next page is on its way.
        const by = Math.min(40, Math.floor(list.scrollTop))
        list.scrollTop -= by
        place += by
        await painted()
        // What has left the window below, but for a part of a pixel, need not be in the document.
        if (id !== undefined && place < bottom - 1) moved = Math.max(moved, offBy(id, place))
        // A page of a hundred is more than whatever a better measure of some messages makes of it.
        if (list.scrollHeight > height + 1500) pages++
        height = list.scrollHeight
      } while (place + 40 < bottom && frame < frames && pages < ${pages})
    }
    await rest()
    return { moved, pages }
  })()`)
  return result as { moved: number; pages: number }
}
