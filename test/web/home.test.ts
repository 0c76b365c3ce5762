import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { openSection } from './support/settings.js'

const hostile = '<img src=x onerror="window.hit=1"> & ✔ "quoted"'

t.test('the first view', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn', role: 200 })
  await bob.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const { channel_folder_id } = await bob.ok('POST', '/channel_folders/create', { name: 'Teams', description: '' })
  await bob.ok('PATCH', `/streams/${channel}`, { folder_id: channel_folder_id })
  const send = (topic: string, content: string) =>
    bob.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })
  await send('notes', 'first')
  await send('notes', `second, @**Ada Lovelace**`)
  await send(hostile, 'third')
  await bob.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'fourth' })
  const browser = await launchBrowser(t)
  const row = (page: Page, name: string) =>
    page.locator('.inbox-row').filter({ has: page.locator('.row-name', { hasText: name }) })
  const unreadOf = async () =>
    (await ada.ok('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'unread']] }))
      .messages.length

  await t.test('is the inbox; conversations are marked as read and unread again by keys alone', async t => {
    const { page, wrongs } = await openWindow(browser, server.url, ada)
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.getByRole('main').getByRole('heading', { level: 2, name: 'Teams' }).waitFor()
    t.match(await row(page, 'notes').textContent(), /@[\s\S]*2/)
    await row(page, 'onerror').waitFor()
    await row(page, 'Bob Kahn').getByRole('button', { name: 'Mark Bob Kahn as read' }).focus()
    await page.keyboard.press('Enter')
    await row(page, 'Bob Kahn').waitFor({ state: 'detached' })
    t.equal(await unreadOf(), 3)
    t.equal(
      await page.evaluate(`document.activeElement.closest('.home-list') !== null`),
      true,
      'the focus is in the list',
    )
    await page.keyboard.press('z')
    await row(page, 'Bob Kahn').waitFor()
    t.equal(await unreadOf(), 4)
    await row(page, 'notes').getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await messageWith(page, 'second').waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    t.equal(await page.evaluate('window.hit'), undefined)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a finger marks everything as read, and takes it back', async t => {
    const { page, wrongs } = await openWindow(browser, server.url, ada, phone)
    await page.getByRole('link', { name: 'Inbox' }).tap()
    await row(page, 'onerror').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).tap()
    await page.getByText('You have read everything').waitFor()
    t.equal(await unreadOf(), 0)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await row(page, 'onerror').waitFor()
    await page.getByText('unread again').waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('opens beside the list of a phone whose screen becomes wide', async () => {
    const { page } = await openWindow(browser, server.url, ada, phone)
    await page.locator('.sidebar').waitFor()
    await page.setViewportSize({ width: 1200, height: 800 })
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.close()
  })

  await t.test('a row has who wrote last, how it begins, and when; edits and deletions change it', async t => {
    const { id: spoiler } = await send('last words', '```spoiler Who was it?\nthe gardener\n```')
    const { id: older } = await send('two of them', 'the older one')
    const { id: newer } = await send('two of them', hostile)
    await send('lunch', '/poll Soup?\nyes')
    // The page begins after these messages, so it fetches them.
    const { page, wrongs } = await openWindow(browser, `${server.url}/#inbox`, ada)
    const words = (topic: string) => row(page, topic).locator('.last-words')
    await words('last words').getByText('Who was it?').waitFor()
    t.notMatch(await words('last words').textContent(), 'gardener', 'what a spoiler hides stays hidden')
    t.match(await words('two of them').textContent(), 'Bob Kahn <img src=x', 'markup is text')
    await words('lunch').getByText('Poll: Soup?').waitFor()
    t.notMatch(await words('Bob Kahn').textContent(), 'Bob', 'a row does not repeat its name')
    t.equal(await row(page, 'two of them').locator('time').count(), 1)
    await bob.ok('PATCH', `/messages/${spoiler}`, { content: 'it was **the butler**' })
    await words('last words').getByText('it was the butler').waitFor()
    await bob.ok('DELETE', `/messages/${newer}`)
    await words('two of them').getByText('the older one').waitFor()
    t.equal(await page.evaluate('window.hit'), undefined)
    await ada.ok('POST', '/messages/flags', { messages: [spoiler, older], op: 'add', flag: 'read' })
    await row(page, 'two of them').waitFor({ state: 'detached' })
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('what comes meanwhile comes into the inbox, and what is read elsewhere goes', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#inbox`, ada)
    await row(page, 'onerror').waitFor()
    const { id } = await send('just now', 'fifth')
    await row(page, 'just now').waitFor()
    await ada.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await row(page, 'just now').waitFor({ state: 'detached' })
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a person without messages finds how to begin', async t => {
    const carol = await server.person({ full_name: 'Carol Shaw' })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#recent`, carol)
    await page.getByRole('main').getByRole('button', { name: 'New direct message' }).click()
    await page.getByRole('dialog', { name: 'New direct message' }).waitFor()
    await page.keyboard.press('Escape')
    const empty = page.locator('.feed-empty')
    const open = async (view: string, words: string) => {
      await page.evaluate(`location.hash = '${view}'`)
      await empty.getByText(words).waitFor()
    }
    await open('mentions', 'Messages that mention you appear here')
    await open('starred', 'Messages that you star stay here')
    await empty.getByRole('button', { name: 'Recent conversations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
    await open('narrow/search/xyzzy', 'Nothing was found')
    await empty.getByRole('button', { name: 'Change the search' }).click()
    t.equal(await page.evaluate(`document.activeElement.closest('search') !== null`), true)
    await open(`direct/${bob.id}`, 'No messages here yet')
    await empty.getByRole('button', { name: 'Write the first message' }).click()
    t.equal(await page.evaluate(`document.activeElement.className`), 'composer-text')
    await bob.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'notices' }],
      principals: [bob.id, carol.id],
      can_send_message_group: { direct_members: [bob.id], direct_subgroups: [] },
    })
    const { stream_id: notices } = await bob.ok('GET', '/get_stream_id', { stream: 'notices' })
    await open(`channel/${notices}/nothing`, 'No messages here yet')
    await page.getByRole('heading', { level: 1, name: 'nothing' }).waitFor()
    // Nothing is offered where the user may not write.
    await empty.getByRole('button').waitFor({ state: 'detached' })
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('is what the settings say, in every window', async t => {
    const { page, wrongs } = await openWindow(browser, server.url, ada)
    await openSection(page, 'Appearance')
    await page.getByLabel('First view').selectOption('Recent conversations')
    await page.getByText('Saved').waitFor()
    const { user_settings } = await ada.ok('POST', '/register', { fetch_event_types: ['user_settings'] })
    t.equal(user_settings.web_home_view, 'recent')
    const other = await openWindow(browser, server.url, ada)
    const recent = other.page.getByRole('main').getByRole('listitem')
    await recent.filter({ hasText: 'just now' }).waitFor()
    t.match(await recent.first().textContent(), 'just now')
    await send('notes', 'sixth')
    await other.page.locator('main li:first-child', { hasText: 'notes' }).waitFor()
    await recent.first().getByRole('button').focus()
    await other.page.keyboard.press('Enter')
    await messageWith(other.page, 'sixth').waitFor()
    t.same([...wrongs, ...other.wrongs], [])
  })
})
