import type { Page } from 'playwright-core'
import t from 'tap'
import { needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

// What the system would show: headless browsers show nothing. Text, because it runs in the page.
const recorder = `
  window.shown = []
  window.Notification = class {
    static permission = 'default'
    static async requestPermission() { return Notification.permission = 'granted' }
    constructor(title, { body, tag }) { shown.push(Object.assign(this, { title, body, tag })) }
    close() { this.isClosed = true; this.onclose?.() }
  }
  window.played = 0
  window.AudioContext = class {
    state = 'running'
    currentTime = 0
    destination = {}
    close = async () => {}
    createGain = () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: () => {} })
    createOscillator = () => ({ frequency: {}, connect: other => ({ connect() {} }), start: () => { played++ }, stop() {} })
  }
  document.hasFocus = () => window.isLookedAt
  window.isLookedAt = true
`

t.test('desktop notifications', needsBrowser, async t => {
  const { browser, server, ada, mary } = await twoWindows(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
  const shown = (): Promise<{ title: string; body: string; isClosed?: true }[]> =>
    page.evaluate('shown.map(({ title, body, isClosed }) => ({ title, body, ...(isClosed && { isClosed }) }))')
  const look = (isLookedAt: boolean) => page.evaluate(`window.isLookedAt = ${isLookedAt}`)
  const write = (content: string) => mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content })
  const settings = (page: Page) => openSection(page, 'Notifications')
  await page.evaluate(recorder)
  await page.getByText('the first one').waitFor()
  await look(false)
  await write('before the permission')
  await page.getByText('before the permission').waitFor()
  t.same(await shown(), [])

  await settings(page)
  await page.getByRole('button', { name: 'Allow notifications' }).click()
  await page.getByText('shows notifications while another window').waitFor()
  await leaveSettings(page)

  await write('see **this**')
  const { id } = await write('```spoiler the end\nthey die\n```')
  await until(page, 'shown.length === 2')
  t.same(await shown(), [
    { title: 'Mary Somerville', body: 'see this' },
    { title: 'Mary Somerville', body: 'the end\n2 new messages' },
  ])

  await ada.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await until(page, 'shown[1].isClosed')
  await page.evaluate('shown[0].onclick()')
  t.match(page.url(), /#(narrow\/dm\/[\d,]+-dm|direct\/\d+)\/near\/\d+$/)
  await page.locator('.message', { hasText: 'see this' }).waitFor()

  await look(true)
  await write('while the window has the focus')
  await page.getByText('while the window has the focus').waitFor()
  await look(false)
  await settings(page)
  await page.getByLabel('Show the text of direct messages').uncheck()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await write('secret')
  await until(page, 'shown.length === 3')
  t.same((await shown())[2], { title: 'Mary Somerville', body: 'New direct message' })

  // She follows the topic that she began.
  const inChannel = (topic: string, content: string) =>
    mary.ok('POST', '/messages', { type: 'channel', to: 'engine', topic, content })
  await inChannel('looms', 'not for her')
  await inChannel('notes', 'for her')
  await until(page, 'shown.length === 4')
  t.same((await shown())[3], { title: 'Mary Somerville (#engine › notes)', body: 'for her' })
  await page.getByLabel('Direct messages, mentions and alert words', { exact: true }).uncheck()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.getByLabel('All messages in channels', { exact: true }).check()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await write('no more')
  await inChannel('looms', 'all of it')
  await until(page, 'shown.length === 5')
  t.equal((await shown())[4]?.body, 'all of it')
  t.ok(await page.evaluate('played > 0'), 'direct messages make a sound')

  await page.getByLabel('Sound', { exact: true }).selectOption({ label: 'No sound' })
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const before = await page.evaluate('played')
  await inChannel('looms', 'without a sound')
  await until(page, 'shown.length === 6')
  t.equal(await page.evaluate('played'), before)
  t.same(wrongs, [])
})

t.test('unread messages show in the title and on the icon of the page', needsBrowser, async t => {
  const { hers, ada, mary } = await twoWindows(t)
  const { page, wrongs } = hers
  await page.getByText('the first one').waitFor()
  const icon = (): Promise<string> => page.evaluate(`document.querySelector('link[rel="icon"]').href`)
  t.match(await icon(), /favicon\.svg$/)
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'call me' })
  await until(page, `document.title.startsWith('(1) ')`)
  await until(page, `document.querySelector('link[rel="icon"]').href.startsWith('data:image/png')`)
  const one = await icon()
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'please' })
  await until(page, `document.querySelector('link[rel="icon"]').href !== ${JSON.stringify(one)}`)
  const count = (desktop_icon_count_display: number) => ada.ok('PATCH', '/settings', { desktop_icon_count_display })
  await mary.ok('POST', '/messages', { type: 'channel', to: 'engine', topic: 'looms', content: 'for all' })
  await until(page, `document.title.startsWith('(3) ')`)
  await count(3)
  await until(page, `document.title.startsWith('(2) ')`)
  await count(4)
  await until(page, `!document.title.startsWith('(')`)
  await until(page, `document.querySelector('link[rel="icon"]').href.endsWith('favicon.svg')`)
  await count(1)
  await until(page, `document.title.startsWith('(3) ')`)
  await ada.ok('POST', '/mark_all_as_read')
  await until(page, `!document.title.startsWith('(')`)
  await until(page, `document.querySelector('link[rel="icon"]').href.endsWith('favicon.svg')`)
  t.same(wrongs, [])
})
