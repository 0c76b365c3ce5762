import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { button, pinnedRow, rowOf, sectionOf } from './support/actions/action.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { keyboard } from './support/hands.js'
import { until } from './support/reading.js'

const names = ['anchor', 'boat', 'cable', 'dock'] as const
type Name = (typeof names)[number]
const row = rowOf

/** Waits until the list has this order. */
const isInOrder = (page: Page, ...order: readonly Name[]): Promise<void> =>
  until(
    page,
    `[...document.querySelectorAll('[data-channel] > .row .row-name')]
      .map(name => name.textContent).join() === '${order.join()}'`,
  )

/** Takes a row with the mouse and holds it over another place. */
async function dragOver(page: Page, name: Name, target: ReturnType<Page['locator']>): Promise<void> {
  await row(page, name).hover()
  await page.mouse.down()
  await holdOver(target)
}

/** A movement that enters an element is no movement over it: the browser repeats it while the mouse rests, the driver does not. */
async function holdOver(target: ReturnType<Page['locator']>): Promise<void> {
  for (let n = 0; n < 2; n++) await target.hover()
}

t.test('pinned channels in the order of the user', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const ids = {} as Record<Name, number>
  for (const name of names) {
    await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    ids[name] = (await ada.ok('GET', '/get_stream_id', { stream: name })).stream_id
    await ada.ok('POST', '/messages', { type: 'channel', to: ids[name], topic: 'notes', content: `about the ${name}` })
  }
  const pin = (value: boolean, ...pinned: readonly Name[]) =>
    ada.ok('POST', '/users/me/subscriptions/properties', {
      subscription_data: pinned.map(name => ({ stream_id: ids[name], property: 'pin_to_top', value })),
    })
  await pin(true, 'boat', 'cable', 'dock')
  const orderKept = async () =>
    (await ada.ok('POST', '/register', { fetch_event_types: ['sidebar'] })).sidebar.pinned_channels
  const browser = await launchBrowser(t)
  const open = (name: Name) => openWindow(browser, `${server.url}/#channel/${ids[name]}/notes`, ada)

  await t.test('the mouse drags a row to another place, which other windows and a reload keep', async t => {
    const { page, wrongs } = await open('anchor')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await isInOrder(other, 'boat', 'cable', 'dock', 'anchor')
    await page.bringToFront()
    await dragOver(page, 'boat', row(page, 'dock'))
    await page.locator('[data-drop="below"]', { hasText: 'dock' }).waitFor()
    await holdOver(row(page, 'boat'))
    await page.locator('[data-drop]').waitFor({ state: 'detached' })
    await holdOver(row(page, 'cable'))
    await page.locator('[data-drop="below"]', { hasText: 'cable' }).waitFor()
    await page.mouse.up()
    await isInOrder(page, 'cable', 'boat', 'dock', 'anchor')
    t.equal(await page.locator('[data-drop]').count(), 0)
    await dragOver(page, 'dock', row(page, 'cable'))
    await page.locator('[data-drop="above"]', { hasText: 'cable' }).waitFor()
    await page.mouse.up()
    for (const window of [page, other]) await isInOrder(window, 'dock', 'cable', 'boat', 'anchor')
    await page.getByText('dock is now pinned at place 1 of 3.').waitFor()
    t.match(page.url(), `#channel/${ids.anchor}`, 'the drag is no click')
    t.same(wrongs, [])
    await page.reload()
    await isInOrder(page, 'dock', 'cable', 'boat', 'anchor')
    await row(page, 'cable').click()
    await page.waitForURL(url => url.hash === `#channel/${ids.cable}`)
  })

  await t.test('dropped elsewhere it is a link, and the order stays', async t => {
    await ada.ok('PATCH', '/users/me/sidebar', { pinned_channels: [] })
    const { page, wrongs } = await open('anchor')
    const order = ['boat', 'cable', 'dock', 'anchor'] as const
    await isInOrder(page, ...order)
    await dragOver(page, 'boat', row(page, 'cable'))
    await page.locator('[data-drop]').waitFor()
    await holdOver(sectionOf(page, 'Direct messages').getByRole('heading'))
    await page.locator('[data-drop]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await dragOver(page, 'boat', row(page, 'cable'))
    await holdOver(page.locator('.composer-text'))
    await page.locator('[data-drop]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await until(page, `document.querySelector('.composer-text').value.includes('#channel/${ids.boat}')`)
    await isInOrder(page, ...order)
    t.same(await orderKept(), [])
    t.same(wrongs, [])
  })

  await t.test('the keyboard moves a channel by its menu, as far as there is a place', async t => {
    await ada.ok('PATCH', '/users/me/sidebar', { pinned_channels: [] })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.dock}`, ada)
    await isInOrder(page, 'boat', 'cable', 'dock', 'anchor')
    const hand = keyboard.handOn(page)
    const choose = async (entry: string, other: string, hasOther: boolean) => {
      await hand.use(button(page, 'More'))
      await button(page, entry).waitFor()
      t.equal(await button(page, other).count(), hasOther ? 1 : 0, `${entry}, and ${other}`)
      await hand.use(button(page, entry))
    }
    await choose('Move up', 'Move down', false)
    await isInOrder(page, 'boat', 'dock', 'cable', 'anchor')
    await page.getByRole('status').getByText('dock is now pinned at place 2 of 3.').waitFor()
    await choose('Move up', 'Move down', true)
    await isInOrder(page, 'dock', 'boat', 'cable', 'anchor')
    await choose('Move down', 'Move up', false)
    await isInOrder(page, 'boat', 'dock', 'cable', 'anchor')
    await page.goto(`${server.url}/#channel/${ids.anchor}`)
    await page.locator('h1', { hasText: 'anchor' }).waitFor()
    await choose('Pin to the top', 'Move up', false)
    await isInOrder(page, 'boat', 'dock', 'cable', 'anchor')
    await pinnedRow(page, 'anchor').waitFor()
    await pin(false, 'anchor', 'boat')
    await isInOrder(page, 'dock', 'cable', 'anchor', 'boat')
    await pin(true, 'boat')
    await isInOrder(page, 'boat', 'dock', 'cable', 'anchor')
    t.same(wrongs, [])
  })

  await t.test('an order that an earlier page kept in the browser becomes that of the account, once', async t => {
    await ada.ok('PATCH', '/users/me/sidebar', { pinned_channels: [] })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.dock}`, ada)
    const kept = () => page.evaluate(`localStorage.getItem('parley.pins.${ada.id}')`)
    const keep = async (text: string) => {
      await page.evaluate(`localStorage.setItem('parley.pins.${ada.id}', ${JSON.stringify(text)})`)
      await page.reload()
    }
    for (const text of ['{', '"x"', '{"length":2}', '[[],{},null,"<img src=x onerror=alert(1)>",-1,1e999]']) {
      await keep(text)
      await isInOrder(page, 'boat', 'cable', 'dock', 'anchor')
    }
    await keep(`["x",${ids.dock},${ids.anchor},${ids.dock},987654]`)
    await isInOrder(page, 'dock', 'boat', 'cable', 'anchor')
    await until(page, `localStorage.getItem('parley.pins.${ada.id}') === null`)
    t.same(await orderKept(), [ids.dock, ids.anchor, 987654])
    await keep(`[${ids.cable}]`)
    await isInOrder(page, 'dock', 'boat', 'cable', 'anchor')
    await until(page, `localStorage.getItem('parley.pins.${ada.id}') === null`)
    t.equal(await kept(), null, 'the account has an order already')
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('what the server refuses is taken back, and said', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${ids.dock}`, ada)
    await isInOrder(page, 'dock', 'boat', 'cable', 'anchor')
    await server.sql`alter table sidebars add constraint none check (false) not valid`
    await button(page, 'More').click()
    await button(page, 'Move down').click()
    await page.locator('.toast.bad').waitFor()
    await isInOrder(page, 'dock', 'boat', 'cable', 'anchor')
    await server.sql`alter table sidebars drop constraint none`
    t.same(wrongs, [])
  })
})
