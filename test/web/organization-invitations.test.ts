import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('invitations', needsBrowser, async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200, full_name: 'Ada Lovelace' })
  const member = await server.person({ full_name: 'Mary Somerville' })
  const browser = await launchBrowser(t)
  const address = `${server.url}/#organization/invitations`
  const { page, wrongs } = await openWindow(browser, address, admin)
  const open = async () => (await admin.ok('GET', '/invites')).invites

  await t.test('by mail: refused beside the form, sent, sent again, and revoked', async t => {
    await page.getByRole('button', { name: 'Invite people by mail' }).click()
    const form = page.getByRole('form', { name: 'Invite people by mail' })
    await form.getByLabel('Email addresses').fill('not an address')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    t.same(await open(), [])
    await form.getByLabel('Email addresses').fill('bob@mill.example\ncarl@mill.example')
    await form.getByLabel('Role').selectOption('Guest')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.locator('.listed', { hasText: 'bob@mill.example' }).getByText('Guest').waitFor()
    t.match(await open(), [{ invited_as: 600 }, { invited_as: 600 }])
    await page.getByRole('button', { name: 'Send again: bob@mill.example' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revoke: bob@mill.example' }).click()
    await page.getByRole('button', { name: 'Really?' }).click()
    await page.locator('.listed', { hasText: 'bob@mill.example' }).waitFor({ state: 'detached' })
    t.equal((await open()).length, 1)
  })

  await t.test('a link appears in other windows, and its end, too', async t => {
    const other = await openWindow(browser, address, admin)
    await other.page.getByRole('button', { name: 'Make a link' }).click()
    await other.page.getByLabel('Valid for').selectOption('until it is revoked')
    await other.page.getByRole('button', { name: 'Save' }).click()
    const link = page.locator('.listed', { hasText: '/join/' })
    await link.getByText('valid until it is revoked').waitFor()
    await link.getByRole('button', { name: 'Copy link' }).waitFor()
    await other.page.getByRole('button', { name: /^Revoke: .*join/ }).click()
    await other.page.getByRole('button', { name: 'Really?' }).click()
    await link.waitFor({ state: 'detached' })
    t.same(other.wrongs, [])
  })

  await t.test('who may not make links has no form for it', async t => {
    const hers = await openWindow(browser, address, member)
    await hers.page.getByText('There is no open invitation.').waitFor()
    t.ok(await hers.page.getByRole('button', { name: 'Make a link' }).isDisabled())
    await hers.page.getByRole('button', { name: 'Invite people by mail' }).click()
    t.same(await hers.page.getByLabel('Role').locator('option').allTextContents(), ['Member', 'Guest'])
    t.same(hers.wrongs, [])
  })
  t.same(wrongs, [])
})
