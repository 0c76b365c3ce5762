import t from 'tap'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'
import { overflowing } from './support/overflowing.js'
import { until } from './support/reading.js'

t.test('the address of a channel for mails', needsBrowser, async t => {
  const server = await startServer(t, { INCOMING_MAIL_ADDRESS: 'in+%s@mail.example', INCOMING_MAIL_PORT: '0' })
  const owner = await server.person({ role: 100 })
  const [ada, guest] = [await server.person({ date_joined: new Date(0) }), await server.person({ role: 600 })]
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, guest.id],
  })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'engine' })
  await owner.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'looms', content: 'of a loom' })
  const stored = async () => (await ada.ok('GET', `/streams/${channel}/email_address`)).email as string
  const browser = await launchBrowser(t)
  const open = async (who: typeof ada, options = {}) => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}`, who, options)
    await page.getByText('of a loom').waitFor()
    await page.getByLabel('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Channel settings' }).click()
    return { page, wrongs, dialog: page.getByRole('dialog', { name: '#engine' }) }
  }

  await t.test('is there to copy, and a new one replaces it after a second click', async t => {
    const { page, wrongs, dialog } = await open(ada)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    const field = dialog.getByLabel('Mail address')
    await field.waitFor()
    const before = await stored()
    t.equal(await field.inputValue(), before)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('status').getByText('Copied').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), before)
    t.same(await violationsOf(page, 'light and dark'), [])
    await dialog.getByRole('button', { name: 'New address' }).click()
    t.equal(await stored(), before, 'the first click only asks')
    await dialog.getByRole('button', { name: 'Really: this one ends' }).click()
    await until(page, `document.querySelector('.account-key input')?.value !== ${JSON.stringify(before)}`)
    t.equal(await field.inputValue(), await stored())
    t.not(await stored(), before)
    t.same(wrongs, [])
  })

  await t.test('fits on a phone, and people who may not post see none', async t => {
    const small = await open(ada, phone)
    await small.dialog.getByLabel('Mail address').waitFor()
    t.same(await overflowing(small.page), [])
    await owner.ok('PATCH', `/streams/${channel}`, {
      can_send_message_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    t.equal((await guest.get(`/streams/${channel}/email_address`)).status, 400)
    const { dialog, wrongs } = await open(guest)
    await dialog.getByText('Who posts').waitFor()
    await dialog.getByText('Created').first().waitFor()
    t.equal(await dialog.getByLabel('Mail address').count(), 0)
    t.same([...wrongs, ...small.wrongs], [])
  })
})
