import type { Page } from 'playwright-core'
import t from 'tap'
import { messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { overflowing } from './support/overflowing.js'
import { twoWindows } from './support/two-windows.js'

const hebrew = 'שלום עולם, זאת הודעה'

const turn = async (page: Page) => {
  await page.locator(':is(.sidebar, .pane):visible').first().waitFor()
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
}

const centre = async (page: Page, selector: string): Promise<number> => {
  const box = await page.locator(selector).first().boundingBox()
  return (box?.x ?? Number.NaN) + (box?.width ?? 0) / 2
}

t.test('from right to left', needsBrowser, async t => {
  const { server, browser, url, ada, mary } = await twoWindows(t)
  const channel = Number(/#channel\/(\d+)/.exec(url)?.[1])
  await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: hebrew })
  await ada.ok('POST', '/messages', { type: 'direct', to: [mary.id], content: hebrew })

  await t.test('the list is at the right, and nothing sticks out, wide and on a phone', async t => {
    for (const [options, isWide] of [
      [{ viewport: { width: 1400, height: 800 } }, true],
      [{}, true],
      [phone, false],
    ] as const) {
      const { page, wrongs } = await openWindow(browser, url, mary, options)
      await turn(page)
      await messageWith(page, 'the first one').waitFor()
      const name = JSON.stringify(options)
      t.same(await overflowing(page), [], `a topic ${name}`)
      if (isWide) {
        t.ok((await centre(page, '.sidebar')) > (await centre(page, '.pane')), `the list is at the right ${name}`)
        t.ok((await centre(page, '.send')) < (await centre(page, '.composer')), 'sending is at the end of the line')
      } else await page.getByLabel('Back to the list').click()
      await page.getByRole('link', { name: 'Inbox' }).click()
      await page.locator('.inbox-row').first().waitFor()
      t.same(await overflowing(page), [], `the inbox ${name}`)
      if (!isWide) await page.getByLabel('Back to the list').click()
      await page.getByLabel('Your menu').click()
      t.same(await overflowing(page), [], `the menu ${name}`)
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'Appearance' }).waitFor()
      t.same(await overflowing(page), [], `the settings ${name}`)
      t.same(wrongs, [])
    }
  })

  await t.test('a text has the direction of its first letter, wherever it is', async t => {
    const { page } = await openWindow(browser, url, mary)
    const directionOf = (selector: string) =>
      page.evaluate(`(() => {
      const found = document.querySelector(${JSON.stringify(selector)})
      return getComputedStyle(found).direction
    })()`)
    await messageWith(page, hebrew).waitFor()
    const id = await messageWith(page, hebrew).getAttribute('data-message-id')
    t.equal(await directionOf(`[data-message-id="${id}"] .content`), 'rtl')
    const box = page.locator('.composer-text')
    await box.fill(hebrew)
    t.equal(await directionOf('.composer-text'), 'rtl')
    await turn(page)
    await box.fill('from left to right')
    t.equal(await directionOf('.composer-text'), 'ltr')
    const first = await messageWith(page, 'the first one').getAttribute('data-message-id')
    t.equal(await directionOf(`[data-message-id="${first}"] .content`), 'ltr')
  })

  await t.test('arrows follow the lines: they are mirrored, and their keys step the other way', async t => {
    const { page } = await openWindow(browser, `${server.url}/#inbox`, mary)
    await page.getByRole('link', { name: 'engine' }).first().click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Channel settings' }).click()
    const selected = page.getByRole('tab', { selected: true })
    await selected.focus()
    await page.keyboard.press('ArrowRight')
    t.equal(await selected.textContent(), 'Permissions')
    await turn(page)
    await page.keyboard.press('ArrowRight')
    t.equal(await selected.textContent(), 'Settings')
    await page.keyboard.press('ArrowLeft')
    t.equal(await selected.textContent(), 'Permissions')
    await page.keyboard.press('Escape')
    t.equal(await page.evaluate(`getComputedStyle(document.querySelector('.icon.turns')).scale`), '-1 1')
  })

  await t.test('the menu of a message opens along the lines', async t => {
    const { page } = await openWindow(browser, url, mary)
    await turn(page)
    const row = messageWith(page, 'the first one')
    const at = await row.locator('.content').boundingBox()
    const [x, y] = [(at?.x ?? 0) + (at?.width ?? 0) / 2, (at?.y ?? 0) + 5]
    await page.mouse.click(x, y, { button: 'right' })
    const menu = await page.getByRole('menu').boundingBox()
    t.ok(Math.abs((menu?.x ?? 0) + (menu?.width ?? 0) - x) < 2, 'its right edge is at the pointer')
  })
})
