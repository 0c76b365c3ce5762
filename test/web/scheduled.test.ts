import type { Page } from 'playwright-core'
import t from 'tap'
import { messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { overflowing } from './support/overflowing.js'
import { twoWindows } from './support/two-windows.js'

const composer = (page: Page) => page.locator('.composer-text')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const button = (place: Page | ReturnType<typeof dialog>, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' })

t.test('messages at a time', needsBrowser, async t => {
  const { browser, server, url, ada, hers, other } = await twoWindows(t)
  const { page } = hers
  await ada.ok('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
  const scheduled = async () => (await ada.ok('GET', '/scheduled_messages')).scheduled_messages
  const entry = page.locator('.sidebar a.row', { hasText: 'Scheduled' })
  const items = page.locator('.scheduled')

  await t.test('without any the list has no entry, and an empty box cannot be sent later', async t => {
    await messageWith(page, 'the first one').waitFor()
    t.equal(await entry.count(), 0)
    t.ok(await button(page, 'Send later').isDisabled())
  })

  await t.test('a message is sent tomorrow morning in the zone of the account', async t => {
    await composer(page).fill('see you there')
    await button(page, 'Send later').click()
    await button(dialog(page, 'Send later'), /^Tomorrow morning/).click()
    await page.getByText('It is sent').waitFor()
    t.equal(await composer(page).inputValue(), '')
    const [one] = await scheduled()
    const due = new Date(one.scheduled_delivery_timestamp * 1000)
    t.equal(due.toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata' }), '09:00:00')
    t.match(one, { type: 'stream', topic: 'notes', content: 'see you there', failed: false })
    await button(page, 'Show').click()
    await items.filter({ hasText: 'see you there' }).waitFor()
    t.equal(await entry.locator('.count').textContent(), '1')
  })

  await t.test('a refused time is said in the dialog, and nothing is lost', async t => {
    await page.goto(url)
    await composer(page).fill('too early')
    await button(page, 'Send later').click()
    const open = dialog(page, 'Send later')
    await open.locator('input').fill('2020-01-01T10:00')
    await button(open, 'Schedule').click()
    await open.locator('input:invalid').waitFor()
    await open.locator('form').evaluate(form => void Object.assign(form, { noValidate: true }))
    await button(open, 'Schedule').click()
    await open.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    t.equal(await composer(page).inputValue(), 'too early')
    t.equal((await scheduled()).length, 1)
    await composer(page).fill('')
  })

  await t.test('text and time are edited', async t => {
    await entry.click()
    await button(page, /^Edit the message/).click()
    const open = dialog(page, 'Edit the scheduled message')
    await open.getByLabel('Message', { exact: true }).fill('see you *at noon*')
    await open.getByLabel('Date and time (Asia/Kolkata)').fill('2100-01-02T12:00')
    await button(open, 'Save').click()
    await items.locator('em', { hasText: 'at noon' }).waitFor()
    const [one] = await scheduled()
    t.equal(one.scheduled_delivery_timestamp, Date.parse('2100-01-02T12:00:00+05:30') / 1000)
  })

  await t.test('it is sent now, to the other window, and leaves the list', async t => {
    await button(page, /^Send now: the message/).click()
    await messageWith(other.page, 'see you at noon').waitFor()
    await page.getByText('are listed here').waitFor()
    t.same(await scheduled(), [])
    await entry.waitFor({ state: 'detached' })
  })

  await t.test('one that failed says so, and gets another time', async t => {
    const subscriptions = [{ name: 'boiler' }]
    await ada.ok('POST', '/users/me/subscriptions', { subscriptions, invite_only: true })
    const { stream_id: to } = await ada.ok('GET', '/get_stream_id', { stream: 'boiler' })
    const soon = Math.floor(Date.now() / 1000) + 2
    const given = { type: 'channel', to, topic: 'notes', content: 'in vain', scheduled_delivery_timestamp: soon }
    await ada.ok('POST', '/scheduled_messages', given)
    await ada.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['boiler'] })
    await items.getByText('It could not be sent.').waitFor()
    await button(page, /^Edit the message/).click()
    const open = dialog(page, 'Edit the scheduled message')
    await button(open, 'Save').click()
    await items.getByText('It could not be sent.').waitFor({ state: 'detached' })
    t.match(await scheduled(), [{ failed: false }])
    await button(page, /^Delete the message/).click()
    await button(page, 'Really delete?').click()
    await items.waitFor({ state: 'detached' })
    t.same(await scheduled(), [])
  })

  await t.test('a reminder with a note, on a phone', async t => {
    const phoneWindow = await openWindow(browser, url, ada, phone)
    const touched = phoneWindow.page
    await messageWith(touched, 'the first one').locator('.content').tap()
    await messageWith(touched, 'the first one').getByLabel('More actions').tap()
    await touched.getByRole('menuitem', { name: 'Remind me' }).tap()
    const open = dialog(touched, 'Remind me')
    await open.getByLabel('Note').fill('bring the keys')
    await button(open, /^In an hour/).tap()
    await button(touched, 'Show').tap()
    await touched.locator('.scheduled', { hasText: 'bring the keys' }).waitFor()
    t.same(await overflowing(touched), [])
    await button(touched, 'Show the message').tap()
    await messageWith(touched, 'the first one').waitFor()
    await touched.goBack()
    await button(touched, 'Delete the reminder').tap()
    await button(touched, 'Really delete?').tap()
    await touched.getByText('are listed here').waitFor()
    t.same((await ada.ok('GET', '/reminders')).reminders, [])
    t.same(phoneWindow.wrongs, [])
  })

  await t.test('a reminder comes at its time with the note, and its link leads to the message', async t => {
    await page.goto(url)
    const message = messageWith(page, 'the first one')
    await message.hover()
    await message.getByLabel('More actions').click()
    await page.getByRole('menuitem', { name: 'Remind me' }).click()
    const open = dialog(page, 'Remind me')
    await open.getByLabel('Note').fill('oil the gears')
    await button(open, /^In an hour/).click()
    await open.waitFor({ state: 'detached' })
    await server.sql`update jobs set due = now() where kind = 'reminder'`
    server.jobs.look()
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /Notification Bot/ })
      .first()
      .click()
    const reminder = messageWith(page, 'oil the gears')
    await reminder.getByText('the first one').waitFor()
    await reminder.getByRole('link', { name: 'this message' }).click()
    await messageWith(page, 'the first one').waitFor()
    t.match(page.url(), /\/near\/\d+$/)
    t.same((await ada.ok('GET', '/reminders')).reminders, [])
  })
  // This test itself loads her page again.
  t.same([...hers.wrongs.filter(one => !one.startsWith('loaded again')), ...other.wrongs], [])
})
