import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('the first steps of those who have just come', needsBrowser, async t => {
  const server = await startServer(t)
  const olga = await server.person({ full_name: 'Olga Ownby', role: 100, isNew: true })
  const browser = await launchBrowser(t)
  const pictures = process.env.PICTURES
  let taken = 0
  const look = async (page: Page, name: string) => {
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${name} fits`)
    if (pictures) await page.screenshot({ path: `${pictures}/welcome-${++taken}-${name}.png` })
  }
  const step = (page: Page, name: string) => page.getByRole('button', { name })

  await t.test('the founder does each in place, and all windows see what is done', async t => {
    const { page, wrongs } = await openWindow(browser, server.url, olga)
    const card = page.getByRole('region', { name: /^Welcome to / })
    await card.waitFor()
    await look(page, 'founder')
    t.same(await violationsOf(page, 'light and dark'), [])
    await page.emulateMedia({ colorScheme: null })
    await step(page, 'Create a channel').click()
    await page.getByLabel('Name', { exact: true }).fill('harbour')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByRole('heading', { name: 'harbour' }).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await step(page, 'Create a channel Done').waitFor()
    await step(page, 'Invite people').click()
    await page.getByRole('button', { name: 'Invite people by mail' }).waitFor()
    await page.goBack()
    await olga.ok('POST', '/invites', { invitee_emails: 'nils@team.example', invite_as: 400, stream_ids: [] })
    await step(page, 'Invite people Done').waitFor()
    await step(page, 'Fill in your profile').click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.goBack()
    const other = await openWindow(browser, `${server.url}/#inbox`, olga, {
      ...phone,
      colorScheme: 'dark',
    })
    await other.page.getByText('Welcome to').waitFor()
    await olga.ok('PATCH', '/settings', { default_language: 'de' })
    await other.page.getByText('Willkommen bei').waitFor()
    await look(other.page, 'founder-de')
    await olga.ok('PATCH', '/settings', { default_language: 'en' })
    await page.getByRole('button', { name: 'Close the first steps' }).click()
    await card.waitFor({ state: 'detached' })
    await other.page.getByText('Welcome to').waitFor({ state: 'detached' })
    await page.getByText('You have read everything').waitFor()
    await look(page, 'empty-inbox')
    t.same([...wrongs, ...other.wrongs], [])
    await page.context().close()
    await other.page.context().close()
  })

  await t.test('a newcomer lands in the channel where it is announced, once, and says hello', async t => {
    const { stream_id: channel } = await olga.ok('GET', '/get_stream_id', { stream: 'harbour' })
    await olga.ok('POST', '/default_streams', { stream_id: channel })
    await olga.ok('PATCH', '/realm', { signup_announcements_stream_id: channel })
    await olga.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'club' }] })
    const nils = await server.person({ full_name: 'Nils Nock', isNew: true })
    await olga.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: [nils.id],
      send_new_subscription_messages: false,
    })
    const { page, wrongs } = await openWindow(browser, server.url, nils, phone)
    await page.getByRole('heading', { name: 'harbour' }).waitFor()
    await look(page, 'landing')
    await page.getByRole('button', { name: 'Back to the list' }).tap()
    await page.getByRole('link', { name: 'Inbox' }).tap()
    await step(page, 'Look at the channels').waitFor()
    await look(page, 'newcomer')
    await step(page, 'Look at the channels').tap()
    await page.getByText('club').first().waitFor()
    await page.keyboard.press('Escape')
    await nils.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'club' }] })
    await step(page, 'Look at the channels Done').waitFor()
    await step(page, 'Say hello').tap()
    await page.locator('.composer-text').fill('Hello, I am Nils.')
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    await page.locator('.message:not(.unsent)', { hasText: 'I am Nils' }).waitFor()
    await page.goBack()
    await step(page, 'Say hello Done').waitFor()
    t.same(wrongs, [])
    const again = await openWindow(browser, server.url, nils)
    await again.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await step(again.page, 'Say hello Done').waitFor()
    t.same(again.wrongs, [])
  })
})
