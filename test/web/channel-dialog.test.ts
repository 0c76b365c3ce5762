import t from 'tap'
import { startServer } from '../support/server.js'
import { rowOf } from './support/actions/action.js'
import { launchBrowser, needsBrowser, openWindow, phone, textsOf } from './support/browser.js'

t.test('channels and topics', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 200 })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const subscribe = (name: string, principals: number[], invite_only = false) =>
    ada.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: 'All that **turns**' }],
      principals,
      invite_only,
      send_new_subscription_messages: false,
    })
  await subscribe('engine', [ada.id, mary.id])
  await subscribe('secret', [ada.id], true)
  const idOf = async (stream: string) => (await ada.ok('GET', '/get_stream_id', { stream })).stream_id as number
  const channel = await idOf('engine')
  const secret = await idOf('secret')
  const send = (topic: string, content: string) =>
    ada.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })
  for (const content of ['one', 'two', 'three']) await send('notes', content)
  await send('looms', 'of a loom')
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}`
  const details = async () => (await ada.ok('GET', `/streams/${channel}`)).stream

  await t.test('an administrator changes a channel, each change at once', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('More').click()
    await page.getByRole('button', { name: 'Channel settings' }).click()
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await dialog.getByLabel('What it is for').fill('Looms')
    await dialog.getByLabel('What it is for').press('Tab')
    await page.locator('.feed-subtitle', { hasText: 'Looms' }).waitFor()
    await dialog.getByText('Saved', { exact: true }).waitFor()
    await dialog.getByText('Preview').click()
    await dialog.locator('.markdown-preview .preview', { hasText: 'Looms' }).waitFor()
    await dialog.getByLabel('Who sees it').selectOption({ label: 'Private: new members see earlier messages' })
    await page.locator('h1 .channel-sign', { hasText: 'Private channel' }).waitFor({ state: 'attached' })
    t.match(await details(), { invite_only: true, history_public_to_subscribers: true, description: 'Looms' })
    await dialog.getByRole('tab', { name: 'Settings' }).focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByLabel('Post messages', { exact: true }).selectOption({ label: 'Administrators' })
    await dialog.getByText('Saved', { exact: true }).waitFor()
    const { user_groups } = await ada.ok('GET', '/user_groups', { include_deactivated_groups: false })
    const group = user_groups.find((one: { name: string }) => one.name === 'role:administrators')
    await dialog.getByRole('tab', { name: 'Settings' }).click()
    await dialog.getByLabel('Name').fill('secret')
    await dialog.getByLabel('Name').press('Enter')
    await dialog.getByRole('alert').getByText('already').waitFor()
    t.equal(await dialog.getByLabel('Name').inputValue(), 'engine', 'a refused name is taken back')
    t.equal((await details()).can_send_message_group, group.id)
    t.same(wrongs, [])
  })

  await t.test('a member reads the settings and cannot change them', async t => {
    const { page, wrongs } = await openWindow(browser, url, mary, phone)
    await page.getByLabel('More').tap()
    await page.getByRole('button', { name: 'Channel settings' }).tap()
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await dialog.getByText('Private: new members see earlier messages').waitFor()
    t.equal(await dialog.locator('input, select, textarea').count(), 0)
    t.equal(await dialog.getByText('Archive').count(), 0)
    await dialog.getByRole('tab', { name: 'Permissions' }).tap()
    await dialog.getByText('Administrators', { exact: true }).first().waitFor()
    t.equal(await dialog.locator('input, select, textarea').count(), 0)
    await dialog.getByRole('tab', { name: 'Members' }).tap()
    await dialog.getByText('Ada Lovelace').waitFor()
    t.equal(await dialog.getByLabel('Remove Ada Lovelace').count(), 0)
    t.same(wrongs, [])
  })

  await t.test('the search finds a topic and opens it', async t => {
    const { page, wrongs } = await openWindow(browser, url, mary)
    await page.getByLabel('More').click()
    await page.getByRole('button', { name: 'All topics' }).click()
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await dialog.getByRole('button', { name: 'notes' }).waitFor()
    await dialog.getByLabel('Find a topic').fill('LOO')
    await dialog.getByRole('button', { name: 'notes' }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'looms' }).click()
    await page.waitForURL(/looms/)
    t.same(wrongs, [])
  })

  await t.test('a topic is followed, resolved and reopened', async t => {
    const { page, wrongs } = await openWindow(browser, `${url}/looms`, mary)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('Followed').click()
    await page.locator('[aria-label="Followed"][aria-pressed="true"]').waitFor()
    await page.getByLabel('Resolved').click()
    await page.waitForURL(/%E2%9C%94%20looms/)
    await page.locator('[aria-label="Resolved"][aria-pressed="true"]').waitFor()
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('More').click()
    await page.getByRole('button', { name: 'Reopen topic' }).click()
    await page.waitForURL(/\/looms$/)
    t.same(wrongs, [])
  })

  await t.test('a message moves to another topic, and a topic to another channel', async t => {
    const { page, wrongs } = await openWindow(browser, `${url}/notes`, ada)
    const message = page.locator('.message', { hasText: 'two' })
    await message.focus()
    await message.getByLabel('Move', { exact: true }).click()
    const one = page.getByRole('dialog', { name: 'Move messages' })
    await one.getByText('Only the 2 members of #engine can read them.').waitFor()
    await one.getByLabel('What to move').selectOption({ label: 'This message and later ones of the topic' })
    await one.getByLabel('To the topic').fill('later notes')
    await one.getByLabel('in the new place').uncheck()
    await one.getByRole('button', { name: 'Move' }).click()
    await page.waitForURL(/later%20notes/)
    await page.getByText('three').waitFor()
    t.same(await textsOf(page), ['two', 'three'])

    await page.getByLabel('More').click()
    await page.getByRole('button', { name: 'Move topic' }).click()
    const all = page.getByRole('dialog', { name: 'Move topic' })
    await all.getByLabel('To the channel').selectOption({ label: 'secret' })
    await all.getByText('No longer visible to Mary Somerville.').waitFor()
    await all.getByLabel('in the new place').uncheck()
    await all.getByRole('button', { name: 'Move' }).click()
    await page.waitForURL(new RegExp(`channel/${secret}/later`))
    await page.getByText('three').waitFor()
    t.same(wrongs, [])
  })

  await t.test('an archived channel leaves the list', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('More').click()
    await page.getByRole('button', { name: 'Channel settings' }).click()
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await dialog.getByRole('button', { name: 'Archive channel' }).click()
    await dialog.getByRole('button', { name: 'Really archive' }).click()
    await page.waitForURL(/#all/)
    await rowOf(page, 'engine').waitFor({ state: 'detached' })
    t.same(wrongs, [])
  })
})
