import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { inRowMenu, isAt, pinnedRow, rowOf } from './support/actions/action.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'
import { isFocused } from './support/focus.js'
import { keyboard, touch } from './support/hands.js'
import { until } from './support/reading.js'

const menuOf = (page: Page, name: string): Locator => page.getByRole('menu', { name: `Actions on ${name}` })
const entries = (menu: Locator): Promise<string[]> => menu.getByRole('menuitem').allInnerTexts()
const topicRow = (page: Page, name: string): Locator => page.locator('.topics a.row', { hasText: name })

t.test('the menu of a row of the list', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const ids = {} as Record<'anchor' | 'boat' | 'cable', number>
  for (const name of ['anchor', 'boat', 'cable'] as const) {
    const principals = [ada.id, mary.id]
    await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
    ids[name] = (await ada.ok('GET', '/get_stream_id', { stream: name })).stream_id
  }
  const say = (topic: string, content: string) =>
    mary.ok('POST', '/messages', { type: 'channel', to: ids.boat, topic, content })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${ids.anchor}`

  await t.test('the right button opens it, with the entries of the menu of the view', async t => {
    await say('oars', 'two of them')
    const { page, wrongs } = await openWindow(browser, url, ada)
    await rowOf(page, 'boat').click({ button: 'right' })
    const ofRow = await entries(menuOf(page, 'boat'))
    t.match(page.url(), `#channel/${ids.anchor}`, 'the view stays')
    await page.mouse.click(640, 400)
    await menuOf(page, 'boat').waitFor({ state: 'detached' })
    await rowOf(page, 'boat').click()
    await page.locator('h1', { hasText: 'boat' }).waitFor()
    await page.getByLabel('More', { exact: true }).click()
    const [first, ...others] = await page.locator('.menu:popover-open button').allInnerTexts()
    t.same(ofRow, [first, 'Open beside', ...others])
    await page.keyboard.press('Escape')
    await topicRow(page, 'oars').click({ button: 'right' })
    t.ok((await entries(menuOf(page, 'oars'))).includes('Mute topic'))
    await rowOf(page, 'All messages').click({ button: 'right' })
    t.same(await entries(menuOf(page, 'All messages')), ['Mark everything as read'], 'one menu at a time')
    await page.keyboard.press('Escape')
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a row keeps the focus while its topic gets a message and the list is fetched again', async t => {
    const { id } = await say('oars', 'the third')
    await say('sails', 'one of them')
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.boat}`, ada)
    await topicRow(page, 'sails').focus()
    await say('sails', 'another')
    await page.getByText('another', { exact: true }).waitFor()
    await mary.ok('PATCH', `/messages/${id}`, {
      topic: 'rudder',
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    await topicRow(page, 'rudder').waitFor()
    t.ok(await isFocused(topicRow(page, 'sails')))
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test("with Shift the browser's own menu opens, and the middle button opens another tab", async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    const rightClick = async (row: Locator, modifiers: 'Shift'[]) => {
      const isOurs = page.evaluate(`new Promise(resolve => addEventListener('contextmenu', event => {
        const isOurs = event.defaultPrevented
        event.preventDefault()
        resolve(isOurs)
      }, { once: true }))`)
      await row.click({ button: 'right', modifiers })
      return isOurs
    }
    t.equal(await rightClick(rowOf(page, 'boat'), ['Shift']), false)
    t.equal(await page.getByRole('menu').count(), 0)
    t.equal(await rightClick(rowOf(page, 'Inbox'), []), false, 'a row whose view has no menu')
    t.equal(await rightClick(rowOf(page, 'boat'), []), true)
    await menuOf(page, 'boat').waitFor()
    await page.keyboard.press('Escape')
    const opened = page.context().waitForEvent('page')
    await rowOf(page, 'boat').click({ button: 'middle' })
    await isAt(await opened, `#channel/${ids.boat}`)
    t.match(page.url(), `#channel/${ids.anchor}`)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('the keyboard opens it; the focus returns to the row, also when the row has moved', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    const boat = rowOf(page, 'boat')
    await boat.focus()
    await page.keyboard.press('Shift+F10')
    await menuOf(page, 'boat').waitFor()
    t.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Mark channel as read')
    await page.keyboard.press('Escape')
    await menuOf(page, 'boat').waitFor({ state: 'detached' })
    t.ok(await isFocused(boat))
    for (const name of ['anchor', 'boat', 'cable'] as const) {
      await ada.ok('POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: ids[name], property: 'pin_to_top', value: true }],
      })
      await pinnedRow(page, name).waitFor()
    }
    await inRowMenu({ page, hand: keyboard.handOn(page) }, boat, 'Unpin')
    await pinnedRow(page, 'boat').waitFor({ state: 'detached' })
    await boat.and(page.locator(':focus')).waitFor()
    await inRowMenu({ page, hand: keyboard.handOn(page) }, boat, 'Pin to the top')
    await pinnedRow(page, 'boat').waitFor()
    for (const [entry, place] of [
      ['Move down', 3],
      ['Move up', 2],
      ['Move up', 1],
    ] as const) {
      await inRowMenu({ page, hand: keyboard.handOn(page) }, boat, entry)
      await page.getByText(`boat is now pinned at place ${place} of 3.`).waitFor()
      t.ok(await isFocused(boat), `${entry} to ${place}`)
    }
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('two changes of one thing keep their order, while others overtake them', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.boat}`, ada)
    const scene = { page, hand: keyboard.handOn(page) }
    const oars = topicRow(page, 'oars')
    const waiting = () => server.sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await server.sql.begin(async tx => {
      await tx`lock table user_topics in exclusive mode`
      await inRowMenu(scene, oars, 'Follow topic')
      while ((await waiting()).length === 0) await sleep(10)
      await inRowMenu(scene, oars, 'Mute topic')
      await inRowMenu(scene, rowOf(page, 'cable'), 'Unpin')
      await pinnedRow(page, 'cable').waitFor({ state: 'detached' })
      t.equal((await waiting()).length, 1, 'the second change waits in the page')
    })
    await oars.and(page.locator('.muted')).waitFor()
    t.same(await server.sql`select visibility_policy from user_topics where user_id = ${ada.id}`, [
      { visibility_policy: 1 },
    ])
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a change meanwhile keeps the menu and the focus in it', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await rowOf(page, 'boat').focus()
    await page.keyboard.press('Shift+F10')
    await page.keyboard.press('End')
    await ada.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: ids.boat, property: 'is_muted', value: true }],
    })
    await page.getByRole('menuitem', { name: 'Unmute channel' }).waitFor()
    t.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Unsubscribe')
    await page.keyboard.press('Escape')
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a long press opens it on a phone, and its end follows no link', async t => {
    const { page, wrongs } = await openWindow(browser, server.url, ada, phone)
    const hand = touch.handOn(page)
    await hand.openMenu(rowOf(page, 'cable'))
    t.equal(new URL(page.url()).hash, '', 'the list is still there')
    await hand.use(page.getByRole('menuitem', { name: 'Mute channel' }))
    await rowOf(page, 'cable').getByTitle('Muted').waitFor()
    await hand.use(rowOf(page, 'cable'))
    await isAt(page, `#channel/${ids.cable}`)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a resolved topic takes the open view along only if it is open', async t => {
    for (const topic of ['sails', 'masts']) await say(topic, 'white')
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.boat}/sails`, ada)
    const choose = async (topic: string, entry: string) => {
      await topicRow(page, topic).click({ button: 'right' })
      await page.getByRole('menuitem', { name: entry }).click()
    }
    await choose('masts', 'Resolve topic')
    await topicRow(page, '✔ masts').waitFor()
    await isAt(page, `#channel/${ids.boat}/sails`)
    await choose('sails', 'Resolve topic')
    await isAt(page, `#channel/${ids.boat}/${encodeURIComponent('✔ sails')}`)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a new topic begins in the channel of the row', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await rowOf(page, 'cable').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'New topic' }).click()
    await until(page, `document.querySelector('select[name=channel]')?.value === '${ids.cable}'`)
    t.same(wrongs, [])
  })
})
