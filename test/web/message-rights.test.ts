import t from 'tap'
import { groupId } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, write } from './support/browser.js'

t.test('what one may not do to messages is not offered, or says why', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'mill' }],
    principals: [owner.id, mary.id],
  })
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'mill' })
  const say = async (who: typeof mary, topic: string, content: string): Promise<number> =>
    (await who.ok('POST', '/messages', { type: 'channel', to: stream_id, topic, content })).id
  await say(owner, 'water', 'the wheel turns')
  const old = await say(mary, 'water', 'an hour ago')
  await server.sql`update messages set date_sent = now() - interval '1 hour' where id = ${old}`
  await say(mary, 'water', 'just now')
  const browser = await launchBrowser(t)
  const at = `${server.url}/#channel/${stream_id}/water`
  const { page, wrongs } = await openWindow(browser, at, mary)
  const his = await openWindow(browser, at, owner)
  const menuOf = async (window: typeof his, text: string) => {
    await messageWith(window.page, text).click({ button: 'right' })
    const menu = window.page.getByRole('menu')
    await menu.waitFor()
    return menu
  }

  await t.test('own messages have edit and delete, which say why they are refused when the time is over', async t => {
    const menu = await menuOf({ page, wrongs }, 'an hour ago')
    const edit = menu.getByRole('menuitem', { name: /^Edit/ })
    await edit.getByText('The time to edit it is over.').waitFor()
    await menu.getByText('The time to delete it is over.').waitFor()
    t.equal(await edit.getAttribute('aria-disabled'), 'true')
    await edit.click({ force: true })
    t.equal(await page.locator('.edit-box').count(), 0)
    await page.keyboard.press('Escape')
    await messageWith(page, 'an hour ago').hover()
    await messageWith(page, 'an hour ago').getByLabel('More actions').waitFor()
    t.equal(await messageWith(page, 'an hour ago').getByLabel('Edit', { exact: true }).count(), 0)
    const young = await menuOf({ page, wrongs }, 'just now')
    t.equal(await young.locator('[aria-disabled]').count(), 0)
    await page.keyboard.press('Escape')
    const others = await menuOf({ page, wrongs }, 'the wheel turns')
    t.equal(await others.getByRole('menuitem', { name: /^(Edit|Delete)/ }).count(), 0)
    await page.keyboard.press('Escape')
  })

  await t.test('without editing in the organization, the arrow key says so', async t => {
    await owner.ok('PATCH', '/realm', { allow_message_editing: false })
    await messageWith(page, 'just now').click({ button: 'right' })
    await page.getByRole('menu').getByText('turned editing off').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.composer-text').press('ArrowUp')
    await page.locator('.toast').getByText('turned editing off').waitFor()
    t.equal(await page.locator('.edit-box').count(), 0)
  })

  await t.test('administrators delete messages of others, and a topic with all its messages', async t => {
    await say(mary, 'noise', 'one of the noises')
    await say(mary, 'noise', 'another of the noises')
    const menu = await menuOf(his, 'an hour ago')
    t.equal(await menu.getByRole('menuitem', { name: /^Edit/ }).count(), 0)
    await menu.getByRole('menuitem', { name: 'Delete' }).click()
    await menu.getByRole('menuitem', { name: 'Really delete' }).click()
    await messageWith(page, 'an hour ago').waitFor({ state: 'detached' })
    await his.page.goto(`${server.url}/#channel/${stream_id}/noise`)
    await messageWith(his.page, 'another of the noises').waitFor()
    await his.page.getByRole('button', { name: 'More', exact: true }).click()
    await his.page.getByRole('button', { name: 'Delete topic' }).click()
    t.equal(await messageWith(his.page, 'another of the noises').count(), 1, 'it asks first')
    await his.page.getByRole('button', { name: 'Really delete all messages' }).click()
    await messageWith(his.page, 'another of the noises').waitFor({ state: 'detached' })
    const { topics } = await owner.ok('GET', `/users/me/${stream_id}/topics`)
    t.same(
      topics.map((topic: { name: string }) => topic.name).filter((name: string) => name === 'noise'),
      [],
    )
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Move topic …' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Delete topic' }).count(), 0, 'members have no such entry')
    await page.keyboard.press('Escape')
  })

  await t.test('the composer says where one may not write, as long as that is so', async () => {
    const set = async (group: string) =>
      owner.ok('PATCH', `/streams/${stream_id}`, {
        can_send_message_group: { new: await groupId(server.sql, group) },
      })
    await set('role:administrators')
    await page.getByText('Only some people may write in this channel.').waitFor()
    await page.locator('.composer').waitFor({ state: 'detached' })
    await set('role:members')
    await write(page, 'allowed again')
    await messageWith(page, 'allowed again').waitFor()
    await page.goto(`${server.url}/#direct/${bob.id}`)
    await page.locator('.composer').waitFor()
    await owner.ok('DELETE', `/users/${bob.id}`)
    await page.getByText('has no account any more').waitFor()
  })

  t.same(
    [...wrongs, ...his.wrongs].filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
