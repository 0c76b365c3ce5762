import type { Page } from 'playwright-core'
import t from 'tap'
import { hashPassword } from '../../server/auth/passwords.js'
import { Api } from '../support/http.js'
import { setOrganization } from '../support/organization.js'
import { keptSession, messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { until } from './support/reading.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

const openAccount = (page: Page) => openSection(page, 'Account')

t.test('the account in the settings', needsBrowser, async t => {
  const { server, browser, url, ada, hers, mary } = await twoWindows(t)
  const first = 'open sesame, please'
  const next = 'seven tall wooden boats'
  await server.sql`update users set password_hash = ${await hashPassword(first)} where id = ${ada.id}`
  const signsIn = async (password: string) =>
    (await server.api(null).post('/fetch_api_key', { username: ada.email, password })).status

  await t.test('a password is refused at the field that is wrong, and changed with the old one', async t => {
    const { page } = hers
    const panel = await openAccount(page)
    const [old, fresh] = [panel.getByLabel('Present password'), panel.getByLabel('New password')]
    const submit = panel.getByRole('button', { name: 'Change password' })
    const change = async (from: string, to: string) => {
      await old.fill(from)
      await fresh.fill(to)
      await submit.click()
    }
    await change('not mine', next)
    await panel.getByText('This is not your password.').waitFor()
    t.match(await old.getAttribute('aria-invalid'), 'true')
    t.match(await fresh.getAttribute('aria-invalid'), 'false')
    await until(page, `document.activeElement?.name === 'old'`)
    await change(first, 'password')
    await panel.getByText('too easy to guess').waitFor()
    t.match(await fresh.getAttribute('aria-invalid'), 'true')
    t.match(await old.getAttribute('aria-invalid'), 'false')
    const asked = await page.evaluate(`document.querySelectorAll('[aria-invalid]').length`)
    t.equal(asked, 2)
    await change(first, 'short')
    await until(page, `document.querySelector('input[name="new"]').validity.tooShort`)
    t.equal(await signsIn(first), 200, 'nothing of this changed it')
    await change(first, next)
    await panel.getByText('The password is changed.').waitFor()
    t.same([await old.inputValue(), await fresh.inputValue()], ['', ''])
    t.same([await signsIn(first), await signsIn(next)], [401, 200])
    t.equal(await old.getAttribute('type'), 'password')
    await panel.getByLabel('Show the passwords').check()
    t.equal(await fresh.getAttribute('type'), 'text')
    for (let tries = 0; tries < 6; tries++) await ada.patch('/settings', { old_password: 'guess', new_password: next })
    await change('guess', next)
    await panel.getByText('Too many attempts').waitFor()
    t.match(await old.getAttribute('aria-invalid'), 'true')
    await leaveSettings(page)
  })

  await t.test('the key is hidden until the user shows it, and copied without showing it', async t => {
    const { page } = hers
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const panel = await openAccount(page)
    const key = panel.getByLabel('API key', { exact: true })
    t.equal(await key.getAttribute('type'), 'password')
    await panel.getByRole('button', { name: 'Copy' }).click()
    await panel.getByText('The key is copied.').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), ada.api_key)
    await panel.getByRole('button', { name: 'Show', exact: true }).click()
    t.equal(await key.getAttribute('type'), 'text')
    t.equal(await key.inputValue(), ada.api_key)
    await leaveSettings(page)
  })

  await t.test('signing out everywhere else: this browser goes on with a new key, others end', async t => {
    // Stored once: openWindow stores the session of a user again at each load.
    const { page, wrongs } = await openWindow(browser, url, null)
    const session = JSON.stringify({ email: ada.email, apiKey: ada.api_key, userId: ada.id })
    await page.evaluate(`localStorage.setItem('parley.session', ${JSON.stringify(session)})`)
    await page.reload()
    await messageWith(page, 'the first one').waitFor()
    const sibling = await page.context().newPage()
    await sibling.goto(url)
    await messageWith(sibling, 'the first one').waitFor()
    const panel = await openAccount(page)
    await panel.getByRole('button', { name: 'Sign out everywhere else …' }).click()
    await until(page, `document.activeElement?.textContent === 'Cancel'`)
    await page.getByText('All other browsers and devices are signed out').waitFor()
    await page.keyboard.press('Enter')
    t.equal((await ada.get('/users/me')).status, 200, 'nothing happens before the user confirms it')
    await panel.getByRole('button', { name: 'Sign out everywhere else …' }).click()
    await panel.getByRole('button', { name: 'Sign out everywhere else', exact: true }).click()
    await panel.getByText('You are signed out everywhere else').waitFor()
    t.equal((await ada.get('/users/me')).status, 401)
    await hers.page.getByText('Your session has ended').waitFor()
    t.equal(await keptSession(hers.page), null)

    const api_key = await panel.getByLabel('API key', { exact: true }).inputValue()
    t.not(api_key, ada.api_key)
    t.equal((await new Api(server.url, { email: ada.email, api_key }).get('/users/me')).status, 200)
    await leaveSettings(page)
    for (const window of [page, sibling]) {
      await window.locator('.corner[data-phase="live"]').waitFor()
      await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'still there?' })
      await write(window, 'still here')
      await messageWith(window, 'still here').first().waitFor()
      t.match(await keptSession(window), api_key)
      const files = await window.evaluate(`fetch('/user_uploads/none').then(answer => answer.status)`)
      t.equal(files, 404, 'the right to files is that of the new key')
    }
    await page.reload()
    await messageWith(page, 'the first one').waitFor()
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('a refused new key is explained, and changes nothing', async t => {
    const mine = await openWindow(browser, url, mary)
    const panel = await openAccount(mine.page)
    await mine.page.route('**/api_key/regenerate', route => route.abort())
    await panel.getByRole('button', { name: 'Sign out everywhere else …' }).click()
    await panel.getByRole('button', { name: 'Sign out everywhere else', exact: true }).click()
    await panel.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    t.match(await keptSession(mine.page), mary.api_key)
    t.equal((await mary.get('/users/me')).status, 200)
    await leaveSettings(mine.page)
  })

  await t.test('without passwords in the organization there is none to change', async t => {
    const mine = await openWindow(browser, url, mary)
    const panel = await openAccount(mine.page)
    await panel.getByRole('button', { name: 'Change password' }).waitFor()
    await setOrganization(server.sql, { authentication_methods: { Email: { enabled: false, available: true } } })
    const later = await openWindow(browser, url, mary)
    const later_panel = await openAccount(later.page)
    await later_panel.getByLabel('API key', { exact: true }).waitFor()
    t.equal(await later_panel.getByRole('button', { name: 'Change password' }).count(), 0)
    t.same([...mine.wrongs, ...later.wrongs], [])
  })
})
