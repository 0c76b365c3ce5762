import t from 'tap'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { addApp } from '../support/authenticator.js'
import { givePassword, password } from '../support/browser.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'

t.test('people of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const admin = await server.person({ role: 200, full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  await server.person({ role: 600, full_name: 'Gus Guest' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/people`, admin)
  const rows = page.locator('.person-link')
  const back = () => page.getByRole('link', { name: 'All people' }).click()
  const open = async (name: string) => {
    await rows.filter({ hasText: name }).click()
    await page.getByRole('heading', { name, level: 3 }).waitFor()
  }
  const userOf = async (id: number) => (await owner.ok('GET', `/users/${id}`)).user

  await t.test('the list is searched, and filtered by role and state', async t => {
    await page.getByText('4 accounts').waitFor()
    t.match(await rows.allInnerTexts(), [/^Ada/, /^Gus/, /^Mary/, /^Olive/])
    await page.getByLabel('Find people by name or address').fill('SOMER ma')
    await page.getByText('1 account', { exact: true }).waitFor()
    await page.getByLabel('Find people by name or address').fill('')
    await page.getByLabel('Role').selectOption('Guest')
    await page.getByText('1 account', { exact: true }).waitFor()
    t.match(await rows.allInnerTexts(), [/^Gus/])
    await page.getByLabel('State').selectOption('Deactivated')
    await page.getByText('0 accounts').waitFor()
    await page.getByLabel('Role').selectOption('All roles')
    await page.getByLabel('State').selectOption('Active')
    await page.getByText('4 accounts').waitFor()
  })

  await t.test('name, role and fields of a person', async t => {
    await owner.ok('POST', '/realm/profile_fields', { name: 'Trade', field_type: 1 })
    await open('Mary Somerville')
    t.match(page.url(), new RegExp(`#organization/people/${mary.id}$`))
    await page.getByLabel('Role').selectOption('Moderator')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    t.equal((await userOf(mary.id)).role, 300)
    t.ok(await page.getByLabel('Role').locator('option', { hasText: 'Owner' }).isDisabled(), 'for owners alone')
    await page.getByLabel('Trade').fill('stars')
    await page.keyboard.press('Tab')
    await page.getByLabel('Name', { exact: true }).fill('Mary Fairfax')
    await page.keyboard.press('Tab')
    await page.getByRole('heading', { name: 'Mary Fairfax' }).waitFor()
    await back()
    await open('Gus Guest')
    t.ok(await page.getByLabel('Role').locator('option', { hasText: 'Administrator' }).isDisabled(), 'in two steps')
    await back()
    await open('Olive Owner')
    t.ok(await page.getByLabel('Role').isDisabled())
    t.equal(await page.getByText('Only owners change the accounts of owners.').count(), 3)
    t.equal(await page.getByRole('button', { name: 'Deactivate the account' }).count(), 0)
  })

  await t.test('a new password by a link, and the end of all sessions', async t => {
    const session = await openWindow(browser, server.url, mary)
    await session.page.locator('.corner[data-phase="live"]').waitFor()
    await page.goto(`${server.url}/#organization/people/${mary.id}`)
    await page.getByRole('button', { name: 'Send a link for a new password' }).click()
    t.match(
      await page.getByLabel('Link for a new password').inputValue(),
      new RegExp(`^http.*/accounts/password/reset/${mary.id}/[a-z2-7]{24}/$`),
    )
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Really sign out' }).click()
    await page.getByText('All sessions have ended.').waitFor()
    await session.page.getByLabel('Email').waitFor()
    await page.goto(`${server.url}/#organization/people/${owner.id}`)
    await page.getByRole('heading', { name: 'Olive Owner' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Sign out everywhere' }).count(), 0)
  })

  await t.test('second factors that are lost are removed, and the sessions end', async t => {
    await givePassword(server.sql, mary)
    await addApp(server, mary, password)
    const session = await openWindow(browser, server.url, mary)
    await session.page.locator('.corner[data-phase="live"]').waitFor()
    await page.goto(`${server.url}/#organization/people/${mary.id}`)
    await page.getByRole('button', { name: 'Remove second factors' }).click()
    t.not((await mary.ok('GET', '/users/me/factors')).app, null, 'it asks first')
    await page.getByRole('button', { name: 'Really remove them' }).click()
    await page.getByText('The second factors are removed.').waitFor()
    await session.page.getByLabel('Email').waitFor()
    t.match(await mary.ok('GET', '/users/me/factors'), { app: null, recovery_codes: 0 })
    await page.getByRole('button', { name: 'Really remove them' }).click()
    await page.getByRole('alert').getByText('The account has no second factor.').waitFor()
    await page.goto(`${server.url}/#organization/people/${owner.id}`)
    await page.getByRole('heading', { name: 'Olive Owner' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Remove second factors' }).count(), 0)
  })

  await t.test('the only owner stays one', async t => {
    const owners = await openWindow(browser, `${server.url}/#organization/people/${owner.id}`, owner)
    await owners.page.getByText('This is the only owner.').first().waitFor()
    t.ok(await owners.page.getByLabel('Role').isDisabled())
    t.same(owners.wrongs, [])
  })

  await t.test('an account is deactivated, with what was chosen, and reactivated', async t => {
    const session = await openWindow(browser, server.url, mary)
    await session.page.locator('.corner[data-phase="live"]').waitFor()
    await page.goto(`${server.url}/#organization/people/${mary.id}`)
    await page.getByRole('button', { name: 'Deactivate the account' }).click()
    t.equal((await userOf(mary.id)).is_active, true, 'it asks first')
    await page.getByRole('button', { name: 'Really deactivate', exact: true }).click()
    await page.getByRole('button', { name: 'Reactivate the account' }).waitFor()
    t.equal((await userOf(mary.id)).is_active, false)
    await session.page.getByLabel('Email').waitFor()
    await back()
    await page.getByText('3 accounts').waitFor()
    await page.getByLabel('State').selectOption('Deactivated')
    await open('Mary Fairfax')
    await page.getByRole('button', { name: 'Reactivate the account' }).click()
    await page.getByRole('button', { name: 'Deactivate the account' }).waitFor()
    t.equal((await userOf(mary.id)).is_active, true)
  })

  await t.test('members read, and have no tools', async t => {
    const grace = await server.person({ full_name: 'Grace Hopper' })
    const hers = await openWindow(browser, `${server.url}/#organization/people/${admin.id}`, grace)
    await hers.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    t.equal(await hers.page.locator('.settings-form :is(input, select)').count(), 0)
    t.equal(await hers.page.getByRole('button', { name: 'Deactivate the account' }).count(), 0)
    await hers.page.goto(`${server.url}/#organization/people/999999`)
    await hers.page.getByText('5 accounts').waitFor()
    t.same(
      hers.wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('of thousands, only those in sight are in the document', async t => {
    await server.sql.begin(
      async tx => tx`
        insert into users (delivery_email, full_name, role, email_address_visibility, api_key, settings, is_active, date_joined, version)
        select 'p' || n || '@many.example', 'Person ' || n, 400, 1, md5('key' || n), '{}', true, now(), ${await bumpVersion(tx)}
        from generate_series(1, 3000) as n`,
    )
    const many = await openWindow(browser, `${server.url}/#organization/people`, owner)
    await many.page.locator('.person-link').first().waitFor()
    await until(many.page, `document.querySelectorAll('.person-link').length < 100`)
    await many.page.getByLabel('Find people by name or address').fill('person 2999')
    await many.page.locator('.person-link', { hasText: 'Person 2999' }).waitFor()
    t.same(many.wrongs, [])
  })
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
