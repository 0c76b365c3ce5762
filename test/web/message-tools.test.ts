import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'

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
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
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
    await message.getByLabel('Delete', { exact: true }).tap()
    await message.getByLabel('Really delete').tap()
    await message.waitFor({ state: 'detached' })
    t.same(wrongs, [])
  })
})
