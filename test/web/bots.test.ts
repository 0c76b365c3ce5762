import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { openSection } from './support/settings.js'

t.test('a person makes a bot, sees its key once, and sends the first message with it', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, server.url, ada)
  const section = await openSection(page, 'Your bots')
  await section.getByRole('button', { name: 'New bot' }).click()
  const form = section.getByRole('form', { name: 'New bot' })
  const make = form.getByRole('button', { name: 'Make the bot' })

  await t.test('what the server refuses, the form says and keeps', async t => {
    await form.getByLabel('Name', { exact: true }).fill('Ada')
    await form.getByLabel('Short name').fill('weather')
    t.equal(await form.getByLabel('Address of its server').count(), 0)
    await form.getByLabel('Kind').selectOption({ label: 'Its server gets messages and answers' })
    await form.getByLabel('Address of its server').fill('https://bots.example/hook')
    await make.click()
    await section.getByRole('alert').waitFor()
    t.equal(await form.getByLabel('Short name').inputValue(), 'weather')
  })

  await form.getByLabel('Name', { exact: true }).fill('Weather Station')
  await make.click()
  const shown = section.getByRole('region', { name: 'Key of the bot' })
  const key = await shown.getByRole('textbox', { name: 'Key of the bot' }).inputValue()
  t.match(key, /^[A-Za-z0-9]{32}$/)
  const [bot] = (await ada.ok('GET', '/bots')).bots
  t.match(bot, { full_name: 'Weather Station', api_key: key, username: /^weather-bot@/ })
  const [record] = (await ada.ok('POST', '/register', { fetch_event_types: ['realm_bot'] })).realm_bots
  await shown.getByText(`user ID ${record.user_id}`).waitFor()
  t.match(record, { bot_type: 3, services: [{ base_url: 'https://bots.example/hook' }] })

  await t.test('the JavaScript sends a message to the person', async t => {
    await shown.getByText('JavaScript').click()
    const text = await shown.locator('details', { hasText: 'JavaScript' }).locator('pre').textContent()
    await page.evaluate(`(async () => { ${text} })()`)
    const { messages } = await ada.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    t.match(messages, [{ sender_email: bot.username, content: /Hello/ }])
  })

  await t.test('the address takes what a service writes to Slack', async t => {
    const address = shown.locator('details', { hasText: 'Address for a service' })
    await address.locator('summary').click()
    const body = JSON.stringify({ text: 'It is done.' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch((await address.locator('pre').textContent()) ?? '', {
      method: 'POST',
      headers,
      body,
    })
    t.equal(status, 200)
    const { messages } = await ada.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    t.match(messages, [{ sender_email: bot.username, content: /It is done/ }])
  })

  await t.test('the key is not shown again; a new one ends it', async t => {
    await openSection(page, 'Profile')
    await openSection(page, 'Your bots')
    t.equal(await section.getByRole('region', { name: 'Key of the bot' }).count(), 0)
    await section.getByRole('button', { name: 'New key' }).click()
    await section.getByRole('button', { name: 'End the old key' }).click()
    await shown.waitFor()
    t.not(await shown.getByRole('textbox', { name: 'Key of the bot' }).inputValue(), key)
    const old = server.api({ email: bot.username, api_key: key })
    t.equal((await old.call('GET', '/users/me')).status, 401)
  })

  await t.test('a deactivated bot leaves the list', async t => {
    await section.getByRole('button', { name: 'Deactivate' }).click()
    await section.getByRole('button', { name: 'Really deactivate' }).click()
    await section.getByText('Weather Station').waitFor({ state: 'detached' })
    t.same((await ada.ok('GET', '/bots')).bots, [])
  })
  t.same(wrongs, [])
})
