import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { isFocused } from './support/focus.js'

t.test('the tools of a message', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  for (const content of ['the first one', 'the second one'])
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}/notes`

  await t.test('a finger uses them', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada, phone)
    const message = messageWith(page, 'the second one')
    await message.locator('.content').tap()
    await message.getByLabel('React with thumbs up').tap()
    await message.locator('.reaction', { hasText: '👍' }).waitFor()
    await message.getByLabel('Star', { exact: true }).tap()
    await message.locator('.starred').waitFor()
    await message.getByLabel('Edit', { exact: true }).tap()
    await page.getByLabel('Edit message').press('Escape')
    await message.locator('.content').tap()
    await message.getByLabel('More actions').tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await page.getByRole('menuitem', { name: 'Really delete' }).tap()
    await message.waitFor({ state: 'detached' })
    t.same(wrongs, [])
  })
  await t.test('a finger chooses an emoji in the picker, which lies above everything', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada, phone)
    const message = messageWith(page, 'the first one')
    await message.locator('.content').tap()
    await message.getByLabel('React with another emoji').tap()
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.locator('.emoji-choice').first().waitFor()
    t.same(await covered(page), [], 'nothing lies above the picker')
    await picker.getByLabel('thumbs down').or(picker.getByLabel('-1')).first().tap()
    await picker.waitFor({ state: 'detached' })
    await message.locator('.reaction').first().waitFor()
    await message.locator('.content').tap()
    await message.getByLabel('More actions').tap()
    await page.getByRole('menuitem', { name: 'Mark as unread' }).tap()
    await page.getByText('Messages stay unread').waitFor()
    t.same(wrongs, [])
  })
  await t.test(
    'the menu reacts with the usual emoji and with any other, and ends with what cannot be undone',
    async t => {
      const { page, wrongs } = await openWindow(browser, url, ada, phone)
      const message = messageWith(page, 'the first one')
      const menu = page.getByRole('menu', { name: 'Actions on the message' })
      const openMenu = async () => {
        await message.locator('.content').tap()
        await message.getByLabel('More actions').tap()
      }
      await openMenu()
      const entries = await menu.locator('.menu-row').allInnerTexts()
      t.equal(entries.at(-1)?.trim(), 'Delete')
      t.equal(await menu.locator('.menu-row.danger').count(), 1)
      await menu.getByRole('menuitem', { name: 'React with tada' }).tap()
      await message.locator('.reaction', { hasText: '🎉' }).waitFor()
      await openMenu()
      await menu.getByRole('menuitem', { name: 'React with another emoji' }).tap()
      const picker = page.getByRole('dialog', { name: 'Emoji' })
      await picker.locator('.emoji-choice').first().tap()
      await picker.waitFor({ state: 'detached' })
      await message.locator('.reaction').nth(2).waitFor()
      t.same(wrongs, [])
    },
  )
  await t.test('its tools cover no line of a message that was tapped', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada, phone)
    const message = messageWith(page, 'the first one')
    await message.locator('.content').tap()
    const tools = await message.locator('.message-tools').boundingBox()
    const text = await message.locator('.content').boundingBox()
    t.ok(tools && text && tools.y >= text.y + text.height, JSON.stringify({ tools, text }))
    t.same(wrongs, [])
  })
  await t.test('a printed page has neither the list nor the text box', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await messageWith(page, 'the first one').waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const part of ['.sidebar', '.composer', '.search']) t.equal(await page.locator(part).isVisible(), false, part)
    t.same(wrongs, [])
  })
  await t.test('the keyboard reaches each message and its tools', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'a follow-up' })
    const message = messageWith(page, 'a follow-up')
    await message.focus()
    await tabTo(page, message.getByLabel('React with thumbs up'))
    await page.keyboard.press('Enter')
    await message.locator('.reaction', { hasText: '👍' }).waitFor()
    await message.focus()
    t.equal(await message.getAttribute('tabindex'), '0', 'the Tab key reaches it')
    await message.getByLabel('React with another emoji').press('Enter')
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.locator('.emoji-choice').first().waitFor()
    t.same(await covered(page), [])
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'detached' })
    t.same(wrongs, [])
  })
  await t.test('the tools are one stop of the Tab key; arrow keys, Home and End go from one to another', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'a last word' })
    const [message, next] = [messageWith(page, 'a follow-up'), messageWith(page, 'a last word')]
    await next.waitFor()
    const tools = message.getByRole('toolbar').getByRole('button')
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const isAt = async (index: number, why: string) => t.ok(await isFocused(tools.nth(index)), why)
    await message.focus()
    await tabTo(page, message.locator('.reaction'))
    await press('Tab')
    await isAt(0, 'after the reaction of the message')
    await press('ArrowRight', 'ArrowRight', 'ArrowLeft')
    await isAt(1, 'arrow keys')
    await press('Home', 'ArrowLeft')
    await isAt((await tools.count()) - 1, 'the last one is before the first one')
    await press('ArrowRight')
    await isAt(0, 'and the first one after the last one')
    await press('End', 'ArrowLeft', 'Tab')
    t.ok(await isFocused(next), 'the next stop is the next message')
    await press('Shift+Tab')
    t.ok(await isFocused(message.locator('.reaction')))
    await press('Tab', 'ArrowRight', 'Enter')
    await page.getByRole('dialog', { name: 'Emoji' }).locator('.emoji-choice').first().waitFor()
    await press('ArrowDown', 'ArrowRight', 'Home', 'Escape')
    await isAt(1, 'keys of the choice of emoji stay in it')
    await page.evaluate(`document.documentElement.dir = 'rtl'`)
    await press('ArrowRight')
    await isAt(0, 'from right to left')
    t.same(wrongs, [])
  })
  await t.test('the mouse does not take the tools from the keyboard', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    const message = messageWith(page, 'the first one')
    await message.hover()
    await message.getByLabel('Star', { exact: true }).focus()
    await page.mouse.move(5, 5)
    await message.getByLabel('Star', { exact: true }).press('Enter')
    await message.locator('.starred').waitFor()
    t.same(wrongs, [])
  })
})

/** A message that was unread when the window opened has the name of its sender before, which is a stop, too. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await page.keyboard.press('Tab')
  if (!(await isFocused(target))) await page.keyboard.press('Tab')
  t.ok(await isFocused(target), 'the Tab key reaches it')
}

/** Points of the picker (its middle and corners) at which something else lies above it. */
const covered = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const picker = document.querySelector('.emoji-picker')
    const { left, right, top, bottom } = picker.getBoundingClientRect()
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 12, top + 12], [right - 12, top + 12],
      [left + 12, bottom - 12], [right - 12, bottom - 12]]
    return points.filter(([x, y]) => !picker.contains(document.elementFromPoint(x, y))).map(String)
  })()`)
