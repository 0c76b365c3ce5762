import t from 'tap'
import { until as untilSo } from '../http/until.js'
import { groupId } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { openSection } from './support/settings.js'

t.test('settings of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const admin = await server.person({ role: 200, full_name: 'Ada Lovelace' })
  const member = await server.person({ full_name: 'Mary Somerville' })
  const browser = await launchBrowser(t)
  const his = await openWindow(browser, `${server.url}/#organization/general`, admin)
  const hers = await openWindow(browser, `${server.url}/#organization/general`, member)
  const realm = async () => owner.ok('POST', '/register', { fetch_event_types: ['realm'] })
  const setting = (page: typeof his.page, label: string) =>
    page.locator('.setting', { has: page.getByLabel(label, { exact: true }) })

  await t.test('a change is saved at once, and members read it at once', async t => {
    const { page } = his
    await page.getByLabel('Name of the organization').fill('Lighthouse')
    await page.keyboard.press('Tab')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const hersName = hers.page.getByLabel('Name of the organization')
    await until(hers.page, `document.querySelector('.organization')?.textContent === 'Lighthouse'`)
    t.equal(await hersName.inputValue(), 'Lighthouse')
    t.ok(await hersName.isDisabled())
    await hers.page.getByText('You can read these settings. Administrators change them.').waitFor()
    t.equal(await hers.page.locator('.settings-form :is(input, select, textarea):enabled').count(), 0)
    t.equal((await realm()).realm_name, 'Lighthouse')
  })

  await t.test('a refused change goes back, and its reason stands beside it', async t => {
    const { page } = his
    const name = page.getByLabel('Name of the organization')
    await name.fill('   ')
    await page.keyboard.press('Tab')
    await setting(page, 'Name of the organization').getByRole('alert').waitFor()
    t.equal(await name.inputValue(), 'Lighthouse')
    t.equal(await page.getByRole('alert').count(), 1)
    await name.fill('Lighthouse Company')
    await page.keyboard.press('Tab')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  await t.test('limits, and what owners alone change', async t => {
    const { page } = his
    await openSection(page, 'Messages and topics')
    await page.getByLabel('Edit messages for').selectOption('No limit')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await page.getByLabel('Messages may be edited').uncheck()
    await page.getByLabel('Delete own messages for').selectOption('1 hour')
    await untilSo(async () => (await realm()).realm_message_content_delete_limit_seconds === 3600)
    const kept = page.getByLabel('Keep messages for')
    t.ok(await kept.isDisabled())
    await setting(page, 'Keep messages for').getByText('Only owners change this.').waitFor()
    const answer = await realm()
    t.equal(answer.realm_message_content_edit_limit_seconds, null)
    t.equal(answer.realm_allow_message_editing, false)
    t.equal(answer.realm_message_content_delete_limit_seconds, 3600)
    const owners = await openWindow(browser, `${server.url}/#organization/messages`, owner)
    await owners.page.getByLabel('Keep messages for').selectOption('1 year')
    await until(page, `[...document.querySelectorAll('select')].some(one => one.selectedOptions[0].text === '1 year')`)
    await owners.page.getByLabel('Keep messages for').selectOption('For ever')
    await owners.page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    t.equal((await realm()).realm_message_retention_days, -1)
    t.same(owners.wrongs, [])
    await owners.page.context().close()
  })

  await t.test('a permission gets another group, and the page of a member changes at once', async t => {
    const { page } = his
    await openSection(page, 'Who may do what')
    await hers.page.goto(`${server.url}/#organization/permissions`)
    await page.getByLabel('Create public channels', { exact: true }).selectOption('Administrators')
    await hers.page.locator('.field', { hasText: 'Create public channels' }).getByText('Administrators').waitFor()
    const administrators = await groupId(server.sql, 'role:administrators')
    t.equal((await realm()).realm_can_create_public_channel_group, administrators)
    t.equal(await page.getByLabel('Create groups', { exact: true }).count(), 0, 'owners alone')
    await page.getByLabel('Choose groups and people: Resolve topics').click()
    const nobody = await groupId(server.sql, 'role:nobody')
    await owner.ok('PATCH', '/realm', { can_resolve_topics_group: { new: nobody } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('changed').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('People may change their name').uncheck()
    await until(page, `document.querySelector('.settings-progress').textContent === 'Saved'`)
    t.equal((await realm()).realm_name_changes_disabled, true)
  })

  await t.test('defaults of new people are theirs alone', async t => {
    const { page } = his
    await openSection(page, 'Defaults for new people')
    await page.getByLabel('First view').selectOption('Recent conversations')
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const { realm_user_settings_defaults } = await owner.ok('POST', '/register', {
      fetch_event_types: ['realm_user_settings_defaults'],
    })
    t.equal(realm_user_settings_defaults.web_home_view, 'recent')
    const { user_settings } = await admin.ok('POST', '/register', { fetch_event_types: ['user_settings'] })
    t.equal(user_settings.web_home_view, 'inbox')
  })

  t.same(
    [...his.wrongs, ...hers.wrongs].filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
