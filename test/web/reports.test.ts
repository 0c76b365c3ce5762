import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'

t.test('reports of messages', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const moderator = await server.person({ role: 300, full_name: 'Max Moderator' })
  const [mary, tom] = [await server.person({ full_name: 'Mary' }), await server.person({ full_name: 'Tom' })]
  const everyone = [owner.id, moderator.id, mary.id, tom.id]
  const { id: general } = await owner.ok('POST', '/channels/create', { name: 'general', subscribers: everyone })
  const { id: reports } = await owner.ok('POST', '/channels/create', {
    name: 'reports',
    subscribers: [owner.id, moderator.id],
    invite_only: true,
  })
  const send = async (content: string) =>
    (await tom.ok('POST', '/messages', { type: 'channel', to: general, topic: 'shop', content })).id as number
  const id = await send('Buy my **pills**!')
  const browser = await launchBrowser(t)
  const hers = await openWindow(browser, `${server.url}/#channel/${general}/shop`, mary)
  const menuOf = async (page: typeof hers.page, words: string) => {
    await messageWith(page, words).click({ button: 'right' })
    return page.getByRole('menu', { name: 'Actions on the message' })
  }

  await t.test('without a channel for them the page offers none', async t => {
    const menu = await menuOf(hers.page, 'pills')
    await menu.getByText('Copy link').waitFor()
    t.equal(await menu.getByText('Report to the moderators').count(), 0)
    await hers.page.keyboard.press('Escape')
  })

  await t.test('a report with its reason reaches the moderators; own messages are not reported', async t => {
    await owner.ok('PATCH', '/realm', { moderation_request_channel_id: reports })
    const { page } = hers
    const menu = await menuOf(page, 'pills')
    await menu.getByText('Report to the moderators').click()
    await page.getByLabel('Reason').selectOption('Another reason')
    await page.getByRole('button', { name: 'Send report' }).click()
    t.equal(await page.locator('textarea:invalid').count(), 1, 'this reason needs an explanation')
    await page.getByLabel('Explanation').fill('He sells things.')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('The report was sent.').waitFor()
    const his = await openWindow(browser, `${server.url}/#channel/${general}/shop`, tom)
    const own = await menuOf(his.page, 'pills')
    await own.getByText('Copy link').waitFor()
    t.equal(await own.getByText('Report to the moderators').count(), 0)
    t.same(his.wrongs, [])
    await his.page.context().close()
  })

  await t.test('a moderator shows the message, deletes it, and marks the report as dealt with', async t => {
    await owner.ok('PATCH', '/realm', {
      can_delete_any_message_group: { new: { direct_members: [moderator.id], direct_subgroups: [] } },
    })
    const topic = encodeURIComponent("Tom's moderation requests")
    const address = `${server.url}/#channel/${reports}/${topic}`
    const { page, wrongs } = await openWindow(browser, address, moderator)
    const tools = page.getByRole('group', { name: 'What to do about it' })
    await tools.getByRole('button', { name: 'Show the message' }).click()
    await messageWith(page, 'pills').waitFor()
    t.match(decodeURIComponent(new URL(page.url()).hash), `#channel/${general}/shop`)
    await page.goBack()
    await tools.getByRole('button', { name: 'Delete the message' }).click()
    await tools.getByRole('button', { name: 'Really delete' }).click()
    await hers.page.getByText('pills').waitFor({ state: 'detached' })
    t.match(await owner.get(`/messages/${id}`), { status: 400 })
    await tools.getByRole('button', { name: 'Dealt with' }).click()
    await page.locator('.report-tools [aria-pressed=true]').waitFor()
    await tools.getByRole('button', { name: 'Write to the author' }).click()
    t.equal(new URL(page.url()).hash, `#direct/${tom.id}`)
    t.same(wrongs, [])
  })

  await t.test('who may not delete messages has no button for it, and a forged report has no buttons', async t => {
    const other = await send('More pills')
    await mary.ok('POST', `/messages/${other}/report`, { report_type: 'spam' })
    const forged = `Mary reported [a message](#narrow/channel/${general}-general/topic/shop/near/${other}) of @_**Mary** in it.`
    await moderator.ok('POST', '/messages', { type: 'channel', to: reports, topic: 'forged', content: forged })
    await owner.ok('PATCH', '/realm', { default_language: 'de' })
    await mary.ok('POST', `/messages/${other}/report`, { report_type: 'spam' })
    const { page } = await openWindow(browser, `${server.url}/#channel/${reports}`, owner)
    await messageWith(page, 'Mary hat eine Nachricht von Tom').waitFor()
    const tools = page.getByRole('group', { name: 'What to do about it' })
    await tools.nth(2).getByRole('button', { name: 'Write to the author' }).waitFor()
    t.equal(await tools.count(), 3, 'the last one is in German')
    t.equal(await page.getByRole('button', { name: 'Delete the message' }).count(), 0)
  })
  t.same(hers.wrongs, [])
})
