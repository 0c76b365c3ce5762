import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('invitations', needsBrowser, async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200, full_name: 'Ada Lovelace' })
  const member = await server.person({ full_name: 'Mary Somerville' })
  const { group_id: group } = await admin.ok('POST', '/user_groups/create', {
    name: 'builders',
    description: '',
    members: [],
  })
  const browser = await launchBrowser(t)
  const address = `${server.url}/#organization/invitations`
  const { page, wrongs } = await openWindow(browser, address, admin)
  const open = async () => (await admin.ok('GET', '/invites')).invites

  await t.test('by mail: refused beside the form, sent, sent again, and revoked', async t => {
    await page.getByRole('button', { name: 'Invite people by mail' }).click()
    const form = page.getByRole('form', { name: 'Invite people by mail' })
    await form.getByLabel('Email addresses').fill('not an address')
    await form.getByRole('button', { name: 'Invite people by mail' }).click()
    await page.getByRole('alert').getByText('No invitation was sent').waitFor()
    await form.getByText('not an address · no email address').waitFor()
    t.same(await open(), [])
    await form.getByLabel('Email addresses').fill('bob@mill.example\ncarl@mill.example')
    await form.getByLabel('Role').selectOption('Guest')
    await form.getByLabel('@builders').check()
    await form.getByLabel('Tell me when they join').uncheck()
    await form.getByLabel('Welcome message').fill('Hello **you**')
    await form.getByRole('button', { name: 'Invite people by mail' }).click()
    await form.waitFor({ state: 'detached' })
    await page.locator('.listed', { hasText: 'bob@mill.example' }).getByText('Guest').waitFor()
    t.match(await open(), [
      { invited_as: 600, notify_referrer_on_join: false },
      { invited_as: 600, notify_referrer_on_join: false },
    ])
    t.match(await server.sql`select group_ids, welcome_text from invitations`, [
      { group_ids: [group], welcome_text: 'Hello **you**' },
      {},
    ])
    // Mails of this server are files, so administrators pass on the links.
    await page.locator('.listed', { hasText: 'bob@mill.example' }).getByRole('button', { name: 'Copy link' }).waitFor()
    await page.getByRole('button', { name: 'Send again: bob@mill.example' }).click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await server.sql`
      insert into jobs (kind, key, payload, due, state)
      select 'mail', 'invitation ' || id, '{}', now(), 'dead' from invitations where email = 'bob@mill.example'`
    await page.goto(`${server.url}/#organization/people`)
    await page.locator('.people-rows').waitFor()
    await page.goto(address)
    await page.locator('.listed', { hasText: 'The mail could not be sent.' }).getByText('bob@mill.example').waitFor()
    t.equal(await page.getByText('The mail could not be sent.').count(), 1)
    await page.getByRole('button', { name: 'Revoke: bob@mill.example' }).click()
    await page.getByRole('button', { name: 'Really?' }).click()
    await page.locator('.listed', { hasText: 'bob@mill.example' }).waitFor({ state: 'detached' })
    t.equal((await open()).length, 1)
  })

  await t.test('those that have accounts are left out, with the reason; the others are invited', async t => {
    await page.getByRole('button', { name: 'Invite people by mail' }).click()
    const form = page.getByRole('form', { name: 'Invite people by mail' })
    await form.getByLabel('Email addresses').fill(`${member.email}, dora@mill.example`)
    await form.getByRole('button', { name: 'Invite people by mail' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('The others are invited.').waitFor()
    await page.getByText(`${member.email} · has an account already`).waitFor()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/invitations.png` })
    await page.locator('.listed', { hasText: 'dora@mill.example' }).waitFor()
    t.equal((await open()).length, 2)
  })

  await t.test('a link appears in other windows, and its end, too', async t => {
    const other = await openWindow(browser, address, admin)
    await other.page.getByRole('button', { name: 'Make a link' }).click()
    await other.page.getByLabel('Valid for').selectOption('until it is revoked')
    await other.page.getByRole('form').getByRole('button', { name: 'Make a link' }).click()
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
