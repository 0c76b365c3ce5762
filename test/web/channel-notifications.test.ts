import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'
import { overflowing } from './support/overflowing.js'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: '#engine' })

t.test('the notifications of a channel and of a topic', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'looms', content: 'of a loom' })
  await ada.ok('PATCH', '/settings', { enable_stream_push_notifications: true })
  const stored = () =>
    ada.ok('POST', '/register', {
      fetch_event_types: ['subscription', 'user_topic'],
      client_capabilities: { notification_settings_null: true },
    })
  const set = (property: string, value: boolean) =>
    ada.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel, property, value }],
    })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}`

  await t.test('the bell of a channel leads to its five settings, which begin as those of the account', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('Notifications', { exact: true }).click()
    const dialog = dialogOf(page)
    const desktop = dialog.getByLabel('Desktop notifications of all messages')
    await desktop.waitFor()
    t.same(await dialog.locator('select option:checked').allInnerTexts(), [
      'As your account (off)',
      'As your account (off)',
      'As your account (on)',
      'As your account (off)',
      'As your account (on)',
    ])
    t.same(await violationsOf(page, 'light and dark'), [])
    await desktop.selectOption({ label: 'On' })
    await dialog.getByText('Saved', { exact: true }).waitFor()
    await dialog.getByLabel('Mentions of all').selectOption({ label: 'Off' })
    await desktop.getByText('As your account').waitFor({ state: 'detached' })
    await dialog.getByLabel('Mentions of all').getByText('As your account').waitFor({ state: 'detached' })
    const nothing = { audible_notifications: null, push_notifications: null, email_notifications: null }
    const chosen = { desktop_notifications: true, wildcard_mentions_notify: false }
    t.match((await stored()).subscriptions, [{ ...nothing, ...chosen }])
    await set('desktop_notifications', false)
    await desktop.locator('option:checked', { hasText: 'Off' }).waitFor({ state: 'attached' })
    await set('is_muted', true)
    await dialog.getByText('This channel is muted').waitFor()
    t.same(wrongs, [])
  })

  await t.test('from a topic they have its policy too', async t => {
    const { page, wrongs } = await openWindow(browser, `${url}/looms`, ada, phone)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('More').tap()
    await page.getByRole('button', { name: 'Notifications' }).tap()
    const dialog = dialogOf(page)
    const topic = dialog.getByLabel('Topic “looms”')
    await topic.waitFor()
    t.same(await overflowing(page), [])
    const policies = await topic.locator('option').allInnerTexts()
    t.same(policies, ['As the channel', 'Muted', 'Unmuted, also while the channel is muted', 'Followed'])
    for (const [policy, label] of [...policies.entries()].reverse()) {
      await topic.selectOption({ label })
      await dialog.getByText('Saved', { exact: true }).waitFor()
      const { user_topics } = await stored()
      const found = user_topics.map((one: { visibility_policy: number }) => one.visibility_policy)
      t.same(found, policy === 0 ? [] : [policy], label)
    }
    t.same(wrongs, [])
  })

  await t.test('without a subscription there is nothing to choose for the channel', async t => {
    await ada.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['engine'] })
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('Notifications', { exact: true }).click()
    await dialogOf(page).getByText('Subscribe to the channel').waitFor()
    t.equal(await dialogOf(page).locator('select').count(), 0)
    t.same(wrongs, [])
  })
})
