import type { Page } from 'playwright-core'
import t from 'tap'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'
import { atRest } from './support/reading.js'

// The position of a message in the window in pixels; -1 if it is not in the document.
const placeOf = (id: string) =>
  `(document.querySelector('[data-message-id="${id}"]')?.getBoundingClientRect().top ?? -1)`

/** Waits until a page of history that scrolling requested is loaded and measured. */
async function placeAtRest(page: Page, id: string): Promise<number> {
  let place = Number.NaN
  for (let same = 0; same < 4; ) {
    await page.waitForTimeout(100)
    const now = Number(await page.evaluate(placeOf(id)))
    same = now === place ? same + 1 : 0
    place = now
  }
  return place
}

const firstInSight = `[...document.querySelectorAll('.message')].find(one => one.getBoundingClientRect().top > 80)?.dataset.messageId`

t.test('a long history, in an organization of ten thousand', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await server.sql.begin(
    async tx => tx`
      insert into users (delivery_email, full_name, role, email_address_visibility, api_key, settings, is_active, date_joined, version)
      select 'p' || n || '@many.example', 'Somebody ' || n, 400, 1, md5('key' || n), '{}', true, now(), ${await bumpVersion(tx)}
      from generate_series(1, 10000) as n`,
  )
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const ids: number[] = []
  for (let n = 0; n < 400; n++) {
    const content = `number ${n}.${'\n\nmore of it'.repeat(n % 4)}`
    ids.push((await bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content })).id)
  }
  await ada.ok('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' })
  const browser = await launchBrowser(t)
  const start = performance.now()
  const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/long`, ada)
  await messageWith(page, 'number 399.').waitFor()
  t.comment(`ready after ${Math.round(performance.now() - start)} ms`)
  const scroll = (work: string) =>
    page.evaluate(`(() => { const list = document.querySelector('.feed-scroll'); ${work} })()`)

  await t.test('begins at its end', async t => {
    const rest = await scroll('return list.scrollHeight - list.scrollTop - list.clientHeight')
    t.ok(Number(rest) < 40, `${rest} pixels from the end`)
    t.ok((await page.locator('.message').count()) < 60, 'only what is in sight is in the document')
  })
  await t.test('older pages come, and what is read stays in sight', async t => {
    let [pages, height] = [0, Number(await scroll('return list.scrollHeight'))]
    const jumps: number[] = []
    for (let step = 0; step < 80 && pages < 2; step++) {
      const id = (await page.evaluate(firstInSight)) as string
      const before = Number(await page.evaluate(placeOf(id)))
      // At the top there is less to scroll, as long as the next page is on its way.
      const by = Number(await scroll('const step = Math.min(300, list.scrollTop); list.scrollTop -= step; return step'))
      jumps.push((await placeAtRest(page, id)) - before - by)
      const now = Number(await scroll('return list.scrollHeight'))
      // A page of a hundred is more than whatever a better measure of some messages makes of it.
      if (now > height + 1500) pages++
      height = now
    }
    t.equal(pages, 2, 'two pages came')
    t.comment(`moved by up to ${Math.max(...jumps.map(Math.abs))} pixels beside the scrolling`)
    t.ok(Math.max(...jumps.map(Math.abs)) < 5, 'what is read stays where it stands')
  })
  await t.test('leads to its beginning', async t => {
    const first = messageWith(page, 'number 0.')
    while ((await first.count()) === 0) {
      await scroll('list.scrollTop = 0')
      await atRest(page)
    }
    t.equal(await first.count(), 1)
    t.equal(await page.locator('.day-line').count(), 1)
  })
  await t.test('and back to the newest with one click, whatever came meanwhile', async t => {
    await bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content: 'came meanwhile' })
    await page.getByRole('button', { name: 'Newest' }).click()
    await messageWith(page, 'came meanwhile').waitFor()
    await page.getByRole('button', { name: 'Newest' }).waitFor({ state: 'detached' })
    t.pass()
  })
  await t.test('a view whose unread messages are its last ones is at its end, and stays there', async t => {
    const say = (content: string) =>
      bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'short', content })
    for (let n = 0; n < 3; n++) await say(`unread ${n}.`)
    await page.goto(`${server.url}/#channel/${channel}/short`)
    await messageWith(page, 'unread 2.').waitFor()
    await atRest(page)
    t.equal(await page.getByRole('button', { name: 'Newest' }).count(), 0, 'there is nothing newer to go to')
    for (let n = 0; n < 30; n++) await say(`later ${n}.`)
    await messageWith(page, 'later 29.').waitFor()
    await atRest(page)
    const rest = await scroll('return list.scrollHeight - list.scrollTop - list.clientHeight')
    t.ok(Number(rest) < 1, `${rest} pixels from the end`)
  })
  await t.test('people are found among ten thousand', async t => {
    await page.locator('.composer-text').pressSequentially('@somebody 99')
    await page.locator('.offer', { hasText: 'Somebody 99' }).first().waitFor()
    t.ok((await page.locator('.offer').count()) <= 7)
  })
  t.same(wrongs, [])
})
