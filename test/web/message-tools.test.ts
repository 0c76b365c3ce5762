import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

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
  await t.test('the keyboard reaches each message and its tools', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'a follow-up' })
    const message = messageWith(page, 'a follow-up')
    await message.focus()
    await page.keyboard.press('Tab')
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

/** Points of the picker (its middle and corners) at which something else lies above it. */
const covered = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const picker = document.querySelector('.emoji-picker')
    const { left, right, top, bottom } = picker.getBoundingClientRect()
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 12, top + 12], [right - 12, top + 12],
      [left + 12, bottom - 12], [right - 12, bottom - 12]]
    return points.filter(([x, y]) => !picker.contains(document.elementFromPoint(x, y))).map(String)
  })()`)
