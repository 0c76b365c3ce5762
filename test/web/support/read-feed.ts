import type { Page } from 'playwright-core'
import { tools } from './reading.js'

// Only what is in sight is in the document: looks at all of it, screen by screen. Texts by message, each once if it is there once.
const readAll = `(async () => {
  ${tools}
  const texts = new Map()
  // The list still follows what came last for a moment.
  await rest()
  for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight / 2) {
    await rest(4)
    for (const message of list.querySelectorAll('.message')) {
      texts.set(message.dataset.messageId ?? message.innerText, message.querySelector('.content')?.innerText ?? 'unsent')
    }
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 2) return [...texts.values()]
  }
})()`

/** The texts of all messages in a window; waits for `count` of them. */
export async function readFeed(page: Page, count: number): Promise<string[]> {
  let shown: string[] = []
  // A message that arrives moves the list while it is scrolled, and some texts are skipped: read again.
  for (let tries = 0; tries < 3 && shown.length < count; tries++) shown = await page.evaluate(readAll)
  return shown
}

/** The previous reading may have left the window above its end. */
export async function toNewest(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Newest' })
  if (await button.isVisible()) await button.click()
}
