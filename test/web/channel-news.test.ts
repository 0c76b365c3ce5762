import type { Page } from 'playwright-core'
import t from 'tap'
import { sendFiles } from '../support/files.js'
import { until } from '../support/redis-node.js'
import { startServer } from '../support/server.js'
import { inRowMenu, isAt, rowOf } from './support/actions/action.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { keyboard, touch } from './support/hands.js'

t.test('what is new in a channel', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary <b>Somerville' })
  await mary.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }, { name: 'other' }],
    principals: [ada.id, mary.id],
    send_new_subscription_messages: false,
  })
  const idOf = async (name: string) => (await mary.ok('GET', '/get_stream_id', { stream: name })).stream_id as number
  const [engine, other] = [await idOf('engine'), await idOf('other')]
  const say = async (to: number, topic: string, content: string) =>
    (await mary.ok('POST', '/messages', { type: 'channel', to, topic, content })).id as number
  const { body } = await sendFiles(server.url, mary, '/user_uploads', {
    files: [{ name: 'plan.pdf', bytes: new Uint8Array(10), type: '' }],
  })
  const read = await say(engine, 'wheels', 'long read')
  await ada.ok('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  const decided = await say(engine, 'wheels', 'We take **four** wheels <i>')
  await mary.ok('POST', `/messages/${decided}/reactions`, { emoji_name: 'check' })
  await say(engine, 'wheels', 'fine')
  await say(engine, '✔ axles', `[plan.pdf](${body.url})`)
  await say(engine, 'names', '@**Ada Lovelace** what do you think?')
  const elsewhere = await say(other, 'wheels', 'not of this channel')
  const isRead = async (id: number) => (await ada.ok('GET', `/messages/${id}`)).message.flags.includes('read')
  const browser = await launchBrowser(t)
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'New in engine' })

  for (const [name, way] of [
    ['by keyboard', keyboard],
    ['by touch', touch],
  ] as const)
    await t.test(`${name}: counts, mentions, decisions, resolved topics and files; nothing counts as read`, async t => {
      const { page, wrongs } = await openWindow(browser, server.url, ada, way.options)
      const hand = way.handOn(page)
      await hand.toList()
      await inRowMenu({ page, hand }, rowOf(page, 'engine'), 'What is new')
      await dialog(page).getByText('4 messages of 1 person in 3 topics since').waitFor()
      const part = (name: string | RegExp) => dialog(page).getByRole('region', { name }).locator('strong')
      t.same(await part('Mention you').allTextContents(), ['@Ada Lovelace what do you think?'])
      t.same(await part(/^Decisions/).allTextContents(), ['We take four wheels <i>'])
      t.same(await part('Resolved').allTextContents(), ['✔ axles'])
      t.same(await part('Files').allTextContents(), ['plan.pdf'])
      t.same(await part('Topics').allTextContents(), ['wheels', '✔ axles', 'names'])
      for (const id of [decided, decided + 1]) t.notOk(await isRead(id))
      await hand.use(dialog(page).getByRole('button', { name: /We take four/ }))
      await isAt(page, `#channel/${engine}/wheels/near/${decided}`)
      // The window shows the topic, which reads it.
      for (const id of [decided, decided + 1]) await until(() => isRead(id))
      t.same(wrongs, [])
      await page.context().close()
      await ada.ok('POST', '/messages/flags', { messages: [decided, decided + 1], op: 'remove', flag: 'read' })
    })

  await t.test('by mouse: all of the channel is marked as read, and then nothing is new', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#inbox`, ada)
    const menu = async () => {
      await rowOf(page, 'other').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Members' }).waitFor()
    }
    await menu()
    await page.getByRole('menuitem', { name: 'What is new' }).click()
    const news = page.getByRole('dialog', { name: 'New in other' })
    await news.getByText('1 message of 1 person in 1 topic since').waitFor()
    t.equal(await news.getByRole('region').count(), 1, 'of what there is not, no heading')
    await news.getByRole('button', { name: 'Mark channel as read' }).click()
    await page.getByText('1 message marked as read.').waitFor()
    await until(() => isRead(elsewhere))
    await menu()
    await page.getByRole('menuitem', { name: 'What is new' }).click()
    await news.getByText('Nothing is unread here.').waitFor()
    t.same(wrongs, [])
  })
})
