import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { button, isAt, pinnedRow, rowOf, sectionOf } from './support/actions/action.js'
import { launchBrowser, needsBrowser, openWindow, phone, smallPhone } from './support/browser.js'
import { until } from './support/reading.js'

const heading = (page: Page, name: string): Locator => sectionOf(page, name).getByRole('button', { name, exact: true })

/** Waits until the headings of the list have these names. */
const hasSections = (page: Page, ...names: readonly string[]): Promise<void> =>
  until(
    page,
    `[...document.querySelectorAll('.section-toggle')].map(one => one.textContent).join() === ${JSON.stringify(names.join())}`,
  )

/** A movement that enters an element is no movement over it: the browser repeats it while the mouse rests, the driver does not. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  for (let n = 0; n < 3; n++) await to.hover()
  await page.locator('[data-drop]').waitFor()
  await page.mouse.up()
  await page.locator('[data-drop]').waitFor({ state: 'detached' })
}

const focusedName = (page: Page) =>
  page.evaluate<string>(
    `(document.activeElement.querySelector('.row-name') ?? document.activeElement).textContent.trim()`,
  )

t.test('the sections of the list', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 200 })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const open = async (name: string, folder_id?: number) => {
    const { id } = await ada.ok('POST', '/channels/create', { name, subscribers: [ada.id, mary.id] })
    if (folder_id !== undefined) await ada.ok('PATCH', `/streams/${id}`, { folder_id })
    return id as number
  }
  const teams = (await ada.ok('POST', '/channel_folders/create', { name: 'Teams', description: '' })).channel_folder_id
  const ids = {
    anchor: await open('anchor'),
    boat: await open('boat'),
    crew: await open('crew', teams),
    dockers: await open('dockers', teams),
  }
  const say = (channel: keyof typeof ids, topic = 'talk') =>
    mary.ok('POST', '/messages', { type: 'channel', to: ids[channel], topic, content: 'hello' })
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'psst' })
  await ada.ok('POST', '/mark_all_as_read')
  const browser = await launchBrowser(t)
  const openAt = (hash: string, who = ada, options = {}) => openWindow(browser, `${server.url}/${hash}`, who, options)
  const folderOf = async (id: number) => (await ada.ok('GET', `/streams/${id}`)).stream.folder_id

  await t.test('what one window arranges, all others show, and a reload keeps', async t => {
    const [one, other] = [await openAt('#inbox'), await openAt('', ada, phone)]
    const windows = [one.page, other.page]
    for (const page of windows) await hasSections(page, 'Direct messages', 'Channels', 'Teams')
    await drag(one.page, heading(one.page, 'Direct messages'), heading(one.page, 'Teams'))
    for (const page of windows) await hasSections(page, 'Channels', 'Teams', 'Direct messages')
    await one.page.getByText('Direct messages is now below Teams.').waitFor()
    await drag(one.page, heading(one.page, 'Teams'), rowOf(one.page, 'anchor'))
    for (const page of windows) await hasSections(page, 'Teams', 'Channels', 'Direct messages')
    await heading(other.page, 'Teams').tap()
    for (const page of windows) {
      await rowOf(page, 'crew').waitFor({ state: 'detached' })
      t.equal(await heading(page, 'Teams').getAttribute('aria-expanded'), 'false')
    }
    await say('crew')
    for (const page of windows) await sectionOf(page, 'Teams').getByText('1 unread').waitFor()
    await one.page.reload()
    await hasSections(one.page, 'Teams', 'Channels', 'Direct messages')
    t.equal(await rowOf(one.page, 'crew').count(), 0)
    await one.page.goto(`${server.url}/#channel/${ids.crew}`)
    await rowOf(one.page, 'crew').waitFor()
    t.equal(await rowOf(one.page, 'dockers').count(), 0, 'of a collapsed section, only what is open')
    await heading(one.page, 'Teams').click()
    for (const page of windows) await rowOf(page, 'dockers').waitFor()
    t.same(
      [...one.wrongs, ...other.wrongs].filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('a channel is dragged to the pinned ones and back, and to another folder, with a way back', async t => {
    const { page, wrongs } = await openAt('#inbox')
    await rowOf(page, 'boat').hover()
    await page.mouse.down()
    await rowOf(page, 'anchor').hover()
    await heading(page, 'Pinned').waitFor()
    for (let n = 0; n < 3; n++) await heading(page, 'Pinned').hover()
    await page.locator('[data-section=pinned][data-drop=into]').waitFor()
    await page.mouse.up()
    await pinnedRow(page, 'boat').waitFor()
    await drag(page, rowOf(page, 'crew'), rowOf(page, 'boat'))
    await until(page, `document.querySelector('[data-section=pinned] li .row-name').textContent === 'crew'`)
    await page.getByText('crew is now pinned at place 1 of 2.').waitFor()
    await drag(page, rowOf(page, 'crew'), heading(page, 'Teams'))
    await sectionOf(page, 'Teams').getByRole('link', { name: 'crew' }).waitFor()
    t.equal(await folderOf(ids.crew), teams, 'it is in its folder as before')
    await drag(page, rowOf(page, 'boat'), rowOf(page, 'anchor'))
    await hasSections(page, 'Teams', 'Channels', 'Direct messages')
    await drag(page, rowOf(page, 'anchor'), rowOf(page, 'dockers'))
    await sectionOf(page, 'Teams').getByRole('link', { name: 'anchor' }).waitFor()
    await page.getByText('For all people, anchor is now in Teams.').waitFor()
    t.equal(await folderOf(ids.anchor), teams)
    await button(page, 'Undo').click()
    await sectionOf(page, 'Channels').getByRole('link', { name: 'anchor' }).waitFor()
    t.equal(await folderOf(ids.anchor), null)
    t.same(wrongs, [])
  })

  await t.test('who may not change a channel drags it to no folder, and makes none', async t => {
    const { page, wrongs } = await openAt('#inbox', mary)
    await rowOf(page, 'anchor').hover()
    await page.mouse.down()
    for (let n = 0; n < 3; n++) await heading(page, 'Teams').hover()
    await heading(page, 'Pinned').waitFor()
    t.equal(await page.locator('[data-drop]').count(), 0)
    await page.mouse.up()
    await heading(page, 'Pinned').waitFor({ state: 'detached' })
    t.equal(await folderOf(ids.anchor), null)
    await heading(page, 'Teams').click({ button: 'right' })
    const menu = page.getByRole('menu', { name: 'Actions on Teams' })
    t.same(await menu.getByRole('menuitem').allInnerTexts(), ['Mark all as read', 'Move up'])
    t.same(wrongs, [])
  })

  await t.test('one stop of the Tab key; arrow keys and letters go from line to line', async t => {
    const { page, wrongs } = await openAt('#inbox')
    await rowOf(page, 'anchor').waitFor()
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return await focusedName(page)
    }
    await page.locator('.list-filter').focus()
    t.equal(await press('Tab', 'Tab'), 'Inbox', 'the row of the open view')
    t.equal(await press('ArrowDown'), 'Recent conversations')
    t.equal(await press('b'), 'boat')
    await page.waitForTimeout(900)
    t.equal(await press('d'), 'Direct messages')
    await page.waitForTimeout(900)
    t.equal(await press('d', 'o'), 'dockers', 'of two that begin so, the one that goes on so')
    t.equal(await press('Home'), 'Inbox')
    t.equal(await press('ArrowUp'), 'Inbox', 'there is an end')
    t.equal(await press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown'), 'Teams')
    await press('ArrowLeft')
    await rowOf(page, 'crew').waitFor({ state: 'detached' })
    t.equal(await focusedName(page), 'Teams')
    await press('ArrowRight')
    await rowOf(page, 'crew').waitFor()
    await press('ArrowRight')
    t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Actions on Teams')
    t.equal(await press('ArrowDown'), 'crew')
    await isAt(page, '#inbox')
    await press('Tab')
    t.notOk(await page.evaluate(`document.activeElement.closest('.sidebar-list') !== null`), 'one stop')
    t.equal(await press('Shift+Tab'), 'crew', 'back to where it was')
    await press('Shift+Tab')
    t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Only what is unread')
    t.equal(await press('Tab'), 'crew')
    await press('Enter')
    await isAt(page, `#channel/${ids.crew}`)
    await page.locator('.composer-text:focus').waitFor()
    await press('Escape', 'm')
    await isAt(page, '#mentions')
    t.same(wrongs, [])
  })

  await t.test('the first stop of the page leads past the list', async t => {
    const { page, wrongs } = await openAt('#inbox')
    await rowOf(page, 'anchor').waitFor()
    await page.keyboard.press('Tab')
    await button(page, 'Skip the list').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    await page.keyboard.press('Tab')
    t.ok(await page.evaluate(`document.activeElement.closest('main') !== null`))
    t.same(wrongs, [])
  })

  await t.test('the filter opens the first that it finds, and Escape ends it', async t => {
    const { page, wrongs } = await openAt('#inbox')
    const filter = page.locator('.list-filter')
    await filter.fill('mary')
    await hasSections(page, 'Direct messages')
    await filter.fill('DO')
    await hasSections(page, 'Teams')
    await filter.press('Escape')
    await hasSections(page, 'Teams', 'Channels', 'Direct messages')
    await filter.fill('doc')
    await filter.press('Enter')
    await isAt(page, `#channel/${ids.dockers}`)
    t.equal(await filter.inputValue(), '')
    for (const words of ['<b>', '.*', '\\', '"'.repeat(500)]) {
      await filter.fill(words)
      await page.getByText('Nothing in the list has this name.').waitFor()
    }
    t.same(wrongs, [])
  })

  await t.test('only what is unread, on all devices; a muted channel leaves a trace and is put away', async t => {
    await ada.ok('POST', '/mark_all_as_read')
    const [one, other] = [await openAt('#inbox'), await openAt('', ada, smallPhone)]
    await button(one.page, 'Only what is unread').click()
    for (const { page } of [one, other]) await page.getByText('Everything in the list is read.').waitFor()
    await say('boat')
    for (const { page } of [one, other]) {
      await rowOf(page, 'boat').waitFor()
      t.equal(await rowOf(page, 'anchor').count(), 0)
      t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    }
    await button(other.page, 'Only what is unread').tap()
    for (const { page } of [one, other]) await rowOf(page, 'anchor').waitFor()
    const set = (property: string, value: boolean) =>
      ada.ok('POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: ids.boat, property, value }],
      })
    await set('is_muted', true)
    await rowOf(one.page, 'boat').getByTitle('Muted').waitFor()
    await ada.ok('PATCH', '/settings', { demote_inactive_streams: 2 })
    await rowOf(one.page, 'boat').waitFor({ state: 'detached' })
    await button(one.page, '1 quiet channel').click()
    await rowOf(one.page, 'boat').click()
    await one.page.locator('h1').getByTitle('Muted').waitFor()
    t.equal(await button(one.page, /quiet channel/).count(), 0, 'the open one is not put away')
    await rowOf(one.page, 'Inbox').click()
    await button(one.page, 'Hide quiet channels').click()
    await rowOf(one.page, 'boat').waitFor({ state: 'detached' })
    await set('is_muted', false)
    await ada.ok('PATCH', '/settings', { demote_inactive_streams: 1 })
    t.same([...one.wrongs, ...other.wrongs], [])
  })

  await t.test('folders in the settings of the user: none in the list', async t => {
    const { page, wrongs } = await openAt('#inbox')
    await ada.ok('PATCH', '/settings', { web_left_sidebar_show_channel_folders: false })
    await hasSections(page, 'Channels', 'Direct messages')
    await sectionOf(page, 'Channels').getByRole('link', { name: 'crew' }).waitFor()
    await ada.ok('PATCH', '/settings', { web_left_sidebar_show_channel_folders: true })
    await hasSections(page, 'Teams', 'Channels', 'Direct messages')
    t.same(wrongs, [])
  })
})
