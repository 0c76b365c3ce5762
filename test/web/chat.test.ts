import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, textsOf, write } from './support/browser.js'

t.test('two people in two windows', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const send = (who: typeof ada, content: string, topic = 'notes') =>
    who.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })
  await send(ada, 'the first one')
  const browser = await launchBrowser(t)
  const [hers, his] = await Promise.all([
    openWindow(browser, `${server.url}/#channel/${channel}/notes`, ada),
    openWindow(browser, `${server.url}/#channel/${channel}/notes`, bob),
  ])

  await t.test('each sees at once what the other writes, with its markup', async t => {
    await messageWith(hers.page, 'the first one').waitFor()
    await messageWith(his.page, 'the first one').waitFor()
    await write(his.page, 'a **bold** answer :tada:')
    await messageWith(hers.page, 'a bold answer').waitFor()
    t.equal(await messageWith(hers.page, 'a bold answer').locator('strong >> text=bold').count(), 1)
    t.match(await messageWith(hers.page, 'a bold answer').textContent(), '🎉')
    t.equal(await messageWith(his.page, 'a bold answer').count(), 1, 'its own copy is gone')
    t.equal(await his.page.locator('.unsent').count(), 0)
  })
  await t.test('who writes is seen writing', async t => {
    await hers.page.locator('.composer-text').pressSequentially('hm')
    await his.page.getByText('Ada Lovelace is typing').waitFor()
    await hers.page.locator('.composer-text').fill('')
    t.pass()
  })
  await t.test('a reaction comes, is joined and goes', async t => {
    const mine = messageWith(hers.page, 'a bold answer')
    await mine.hover()
    await mine.getByLabel('React with thumbs up').click()
    const theirs = messageWith(his.page, 'a bold answer').locator('.reaction')
    await theirs.waitFor()
    t.equal(await theirs.getAttribute('aria-pressed'), 'false')
    await theirs.click()
    await mine.locator('.reaction', { hasText: '2' }).waitFor()
    await theirs.click()
    await mine.locator('.reaction', { hasText: '1' }).waitFor()
  })
  await t.test('any emoji can be found in the picker, with keys alone', async t => {
    const mine = messageWith(hers.page, 'the first one')
    await mine.hover()
    await mine.getByLabel('React with another emoji').click()
    const search = hers.page.getByPlaceholder('Search emoji')
    await search.fill('rocket')
    await hers.page.locator('.emoji-choice').first().waitFor()
    await search.press('Enter')
    await messageWith(his.page, 'the first one').locator('.reaction', { hasText: '🚀' }).waitFor()
    t.equal(await hers.page.locator('.emoji-picker').count(), 0)
  })
  await t.test('arrow up edits the last message', async t => {
    await his.page.locator('.composer-text').press('ArrowUp')
    const box = his.page.getByLabel('Edit message')
    t.equal(await box.inputValue(), 'a **bold** answer :tada:')
    await box.fill('a calm answer')
    await box.press('Enter')
    await messageWith(hers.page, 'a calm answer').locator('.edited').waitFor()
    t.equal(await messageWith(hers.page, 'bold').count(), 0)
  })
  await t.test('what is unread is counted, and read when it is seen', async t => {
    await hers.page.locator('.row', { hasText: 'Starred' }).click()
    await write(his.page, 'while you were away')
    const count = hers.page.locator('.row', { hasText: 'engine' }).locator('.count')
    await count.waitFor()
    t.match(await count.textContent(), '1')
    await hers.page.locator('.row', { hasText: 'engine' }).click()
    await messageWith(hers.page, 'while you were away').waitFor()
    await count.waitFor({ state: 'detached' })
    const unread = async () => (await ada.ok('GET', '/messages', query)).messages.length
    const query = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'unread']] }
    // The page reports seen messages after some hundred ms, several at a time.
    while ((await unread()) > 0) await hers.page.waitForTimeout(100)
    t.pass('the server knows, too')
  })
  await t.test('names are completed, previews are what will be', async t => {
    await hers.page.goto(`${server.url}/#channel/${channel}/notes`)
    const box = hers.page.locator('.composer-text')
    await box.pressSequentially('ask @bo')
    await hers.page.locator('.offer', { hasText: 'Bob Kahn' }).waitFor()
    await box.press('Enter')
    t.equal(await box.inputValue(), 'ask @**Bob Kahn** ')
    await hers.page.getByLabel('Preview').click()
    await hers.page.locator('.preview .user-mention', { hasText: '@Bob Kahn' }).waitFor()
    await hers.page.getByLabel('Send', { exact: true }).click()
    await messageWith(his.page, 'ask @Bob Kahn').locator('.own-mention').waitFor()
  })
  await t.test('a direct message opens a conversation of its own', async t => {
    await hers.page.getByLabel('New direct message').click()
    await hers.page.getByPlaceholder('Find people').fill('bob')
    await hers.page.getByPlaceholder('Find people').press('Enter')
    await write(hers.page, 'only for you')
    const row = his.page.locator('.sidebar .row', { hasText: 'Ada Lovelace' })
    await row.locator('.count').waitFor()
    await row.click()
    await messageWith(his.page, 'only for you').waitFor()
    t.same(await textsOf(his.page), ['only for you'])
  })
  await t.test('a search finds words, within the view', async t => {
    await hers.page.goto(`${server.url}/#channel/${channel}/notes`)
    await messageWith(hers.page, 'the first one').waitFor()
    await hers.page.locator('body').click({ position: { x: 5, y: 790 } })
    await hers.page.keyboard.press('/')
    await hers.page.keyboard.type('calm')
    await hers.page.keyboard.press('Enter')
    await hers.page.locator('.content .highlight', { hasText: 'calm' }).waitFor()
    t.equal(await hers.page.locator('.message').count(), 1)
  })
  await t.test('a deleted message goes', async _t => {
    await his.page.goto(`${server.url}/#channel/${channel}/notes`)
    const own = messageWith(his.page, 'while you were away')
    await own.hover()
    await own.click({ button: 'right' })
    await his.page.getByRole('menuitem', { name: 'Delete' }).click()
    await his.page.getByRole('menuitem', { name: 'Really delete' }).click()
    await own.waitFor({ state: 'detached' })
  })
  t.same(hers.wrongs, [])
  t.same(his.wrongs, [])
})
