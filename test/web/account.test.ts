import type { Page } from 'playwright-core'
import t from 'tap'
import { hashPassword } from '../../server/auth/passwords.js'
import { Api } from '../support/http.js'
import { newMails } from '../support/mails.js'
import { setOrganization } from '../support/organization.js'
import { messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { until } from './support/reading.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

const openAccount = (page: Page) => openSection(page, 'Account')

t.test('the account in the settings', needsBrowser, async t => {
  const { server, browser, url, ada, hers, mary, other } = await twoWindows(t)
  const first = 'open sesame, please'
  const next = 'seven tall wooden boats'
  const third = 'nine small green kettles'
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

  await t.test('the key is shown for the password alone, copied, and replaced', async t => {
    const { page } = hers
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await server.sql`update users set password_hash = ${await hashPassword(third)} where id = ${ada.id}`
    const panel = await openAccount(page)
    const ask = async (password: string) => {
      await panel.getByLabel('Your password, to show the key').fill(password)
      await panel.getByRole('button', { name: 'Show the key' }).click()
    }
    await ask('not mine')
    await panel.getByRole('alert').getByText('This is not your password.').waitFor()
    t.notMatch(await page.content(), ada.api_key)
    await ask(third)
    const key = panel.getByLabel('API key', { exact: true })
    t.equal(await key.inputValue(), ada.api_key)
    await panel.getByRole('button', { name: 'Copy' }).click()
    await panel.getByText('The key is copied.').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), ada.api_key)
    await panel.getByRole('button', { name: 'Replace' }).click()
    await panel.getByText('You have a new key').waitFor()
    const api_key = await key.inputValue()
    t.not(api_key, ada.api_key)
    t.equal((await ada.get('/users/me')).status, 401)
    t.equal((await new Api(server.url, { email: ada.email, api_key }).get('/users/me')).status, 200)
    await leaveSettings(page)
    await page.locator('.corner[data-phase="live"]').waitFor()
    await write(page, 'still here')
    await messageWith(page, 'still here').first().waitFor()
    t.notMatch(await page.evaluate('JSON.stringify({ ...localStorage })'), api_key)
  })

  await t.test('the sessions of the account are listed, and each can be ended', async t => {
    const mine = await openWindow(browser, url, mary)
    const [second, third] = [await openWindow(browser, url, mary), await openWindow(browser, url, mary)]
    for (const { page } of [mine, second, third]) await page.locator('.corner[data-phase="live"]').waitFor()
    const panel = await openAccount(mine.page)
    const rows = panel.locator('.account-sessions li')
    await rows.nth(3).waitFor()
    t.equal(await rows.getByText('This browser').count(), 1)
    await rows.getByRole('button', { name: 'Sign out' }).first().click()
    await third.page.getByText('Your session has ended').waitFor()
    await until(mine.page, `document.querySelectorAll('.account-sessions li').length === 3`)
    await panel.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await second.page.getByText('Your session has ended').waitFor()
    await other.page.getByText('Your session has ended').waitFor()
    await until(mine.page, `document.querySelectorAll('.account-sessions li').length === 1`)
    t.equal((await mary.get('/users/me')).status, 200, 'the key stays')
    await leaveSettings(mine.page)
    await mine.page.locator('.corner[data-phase="live"]').waitFor()
    t.same(mine.wrongs, [])
  })

  await t.test('another address counts once the link that is mailed to it is opened', async t => {
    const mails = newMails(server.sql, server.config.dataDir)
    await mails()
    const rose = await server.person({ full_name: 'Rose Renamed' })
    const { page } = await openWindow(browser, url, rose)
    const panel = await openAccount(page)
    await panel.getByLabel('New email address').fill(ada.email)
    await panel.getByRole('button', { name: 'Change address' }).click()
    await panel.getByRole('alert').getByText('already in use').waitFor()
    await panel.getByLabel('New email address').fill('rose@renamed.example')
    await panel.getByRole('button', { name: 'Change address' }).click()
    await panel.getByText('The link is mailed to rose@renamed.example.').waitFor()
    const ofRose = async () => (await rose.get('/users/me')).body.delivery_email
    t.equal(await ofRose(), rose.email, 'not yet')
    const [mail] = await mails()
    t.equal(mail?.to, 'rose@renamed.example')
    const link = await page.context().newPage()
    await link.goto(server.url + /\/accounts\/confirm_new_email\/\S+/.exec(mail?.text ?? '')?.[0])
    await link.close()
    const [row] = await server.sql`select delivery_email from users where id = ${rose.id}`
    t.equal(row?.delivery_email, 'rose@renamed.example')
    await page.context().close()
  })

  await t.test('a person ends the own account, and returns by an administrator', async t => {
    const owner = await server.person({ role: 100 })
    const leo = await server.person({ full_name: 'Leo Leaving' })
    await server.sql`update users set password_hash = ${await hashPassword(next)} where id = ${leo.id}`
    const only = await openWindow(browser, url, owner)
    await (await openAccount(only.page)).getByText('This is the only owner.').waitFor()
    await only.page.context().close()
    const { page } = await openWindow(browser, url, leo)
    const panel = await openAccount(page)
    await panel.getByRole('button', { name: 'Deactivate your account' }).click()
    t.equal((await leo.get('/users/me')).status, 200, 'it asks first')
    await panel.getByRole('button', { name: 'Really deactivate' }).click()
    await page.waitForURL(/\/login\//)
    t.equal((await leo.get('/users/me')).status, 401)
    const signIn = async () => {
      await page.getByLabel('Email').fill(leo.email)
      await page.getByLabel('Password').fill(next)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await signIn()
    await page.getByText('is deactivated').waitFor()
    await owner.ok('POST', `/users/${leo.id}/reactivate`)
    await signIn()
    await page.locator('.corner[data-phase="live"]').waitFor()
    await page.context().close()
  })

  await t.test('without passwords in the organization there is none to change', async t => {
    const mine = await openWindow(browser, url, mary)
    const panel = await openAccount(mine.page)
    await panel.getByRole('button', { name: 'Change password' }).waitFor()
    await setOrganization(server.sql, { authentication_methods: { Email: { enabled: false, available: true } } })
    const later = await openWindow(browser, url, mary)
    const later_panel = await openAccount(later.page)
    await later_panel.getByRole('button', { name: 'Show the key' }).waitFor()
    t.equal(await later_panel.getByRole('button', { name: 'Change password' }).count(), 0)
    t.same([...mine.wrongs, ...later.wrongs], [])
  })
})
