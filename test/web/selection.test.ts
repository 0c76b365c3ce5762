import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('several messages', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  for (const content of ['first', '**second**', 'third', 'fourth'])
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'parts', content })
  const browser = await launchBrowser(t)
  const address = `${server.url}/#channel/${channel}/parts`

  await t.test('are selected and forwarded by the keyboard alone', async t => {
    const { page, wrongs } = await openWindow(browser, address, ada)
    await messageWith(page, 'third').focus()
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await page.getByText('3 messages selected').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('2 messages selected').waitFor()
    await page.getByRole('button', { name: 'Forward' }).press('Enter')
    await page.getByRole('combobox', { name: 'Channel, topic' }).fill('Bob')
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.hash === `#direct/${bob.id}`)
    await page.locator('.composer-text').press('Enter')
    const quotes = page.locator('.message blockquote')
    await quotes.nth(1).waitFor()
    t.same(await quotes.allInnerTexts(), ['second', 'third'])
    t.equal(await page.locator('.selection-bar').count(), 0)
    t.same(wrongs, [])
  })

  await t.test('are selected by touch alone, and copied', async t => {
    const options = { ...phone, permissions: ['clipboard-read', 'clipboard-write'] }
    const { page, wrongs } = await openWindow(browser, address, ada, options)
    await messageWith(page, 'first').locator('.content').tap()
    await messageWith(page, 'first').getByLabel('More actions').tap()
    await page.getByRole('menuitem', { name: 'Select', exact: true }).tap()
    await messageWith(page, 'second').locator('.content').tap()
    await messageWith(page, 'fourth').locator('.content').tap()
    await messageWith(page, 'fourth').locator('.content').tap()
    await page.getByText('2 messages selected').waitFor()
    await page.getByRole('button', { name: 'Copy text' }).tap()
    await page.getByText('The text is copied.').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), 'first\n\n**second**')
    t.equal(await page.locator('.message.selected').count(), 0)
    t.same(wrongs, [])
  })

  await t.test('Escape, the button and another view select nothing', async t => {
    const { page, wrongs } = await openWindow(browser, address, ada)
    const bar = page.locator('.selection-bar')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.getByLabel('Select nothing').click(),
      () => page.goto(`${server.url}/#inbox`),
    ]) {
      await messageWith(page, 'third').focus()
      await page.keyboard.press('Space')
      await bar.waitFor()
      await leave()
      await bar.waitFor({ state: 'detached' })
    }
    t.same(wrongs, [])
  })
})
