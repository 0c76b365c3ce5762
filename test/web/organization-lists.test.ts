import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { openSection } from './support/settings.js'

t.test('lists of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const member = await server.person({ full_name: 'Mary Somerville' })
  for (const name of ['engine', 'mill'])
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/linkifiers`, owner)
  const hers = await openWindow(browser, `${server.url}/#organization/linkifiers`, member)
  const state = (type: string) => owner.ok('POST', '/register', { fetch_event_types: [type] })
  const add = async (button: string, fields: Readonly<Record<string, string>>) => {
    await page.getByRole('button', { name: button }).click()
    const form = page.getByRole('form', { name: button })
    for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text)
    await form.getByRole('button', { name: 'Save' }).click()
    return form
  }
  const listed = (text: string) => page.locator('.listed', { hasText: text })

  await t.test('a linkifier: refused beside its form, added, tried, ordered, changed and removed', async t => {
    const form = await add('Add linkifier', { Pattern: '#(?P<id>[0-9]+)', Address: 'https://tracker.example/{nr}' })
    await page.locator('.setting', { has: form }).getByRole('alert').waitFor()
    await form.getByLabel('Address', { exact: true }).fill('https://tracker.example/{id}')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await hers.page.locator('.listed', { hasText: 'tracker.example/{id}' }).waitFor()
    await hers.page.getByText('Administrators change them').waitFor()
    t.equal(await hers.page.locator('.listed button').count(), 0)
    await page.getByLabel('Text of a message').fill('fixed in #42')
    await page.keyboard.press('Tab')
    await page.locator('.preview a[href="https://tracker.example/42"]').waitFor()
    await add('Add linkifier', { Pattern: 'v(?P<v>[0-9]+)', Address: 'https://releases.example/{v}' })
    await page.getByLabel('Move up: v(?P<v>[0-9]+)').click()
    await page.locator('.entries li:first-child', { hasText: 'releases' }).waitFor()
    await page.getByLabel('Edit v(?P<v>[0-9]+)').click()
    await page.getByRole('form').getByLabel('Address', { exact: true }).fill('https://notes.example/{v}')
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('notes.example').waitFor()
    await page.getByLabel('Remove #(?P<id>[0-9]+)').click()
    await page.getByRole('button', { name: 'Really?' }).click()
    await listed('tracker').waitFor({ state: 'detached' })
    t.equal((await owner.ok('GET', '/realm/linkifiers')).linkifiers.length, 1)
  })

  await t.test('playgrounds and domains', async t => {
    await openSection(page, 'Code playgrounds')
    await add('Add playground', {
      Name: 'Rust',
      'Language of the code': 'rust',
      Address: 'https://play.example/?code={code}',
    })
    await listed('play.example').waitFor()
    t.equal((await state('realm_playgrounds')).realm_playgrounds.length, 1)
    await openSection(page, 'Joining and signing in')
    await page.getByText('Email address and password').waitFor()
    await add('Add domain', { Domain: 'no domain' })
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await add('Add domain', { Domain: 'mill.example' })
    await page.getByLabel('Edit mill.example').click()
    await page.getByLabel('Addresses of its subdomains, too').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('with its subdomains').waitFor()
    t.same((await state('realm_domains')).realm_domains, [{ domain: 'mill.example', allow_subdomains: true }])
  })

  await t.test('channels, folders, default channels and their groups', async t => {
    await openSection(page, 'Channels and folders')
    await page.getByRole('button', { name: 'engine' }).click()
    await page.getByRole('dialog', { name: '#engine' }).getByRole('tab', { name: 'Members' }).waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['Machines', 'Water']) {
      await add('Add folder', { Name: name })
      await listed(name).waitFor()
    }
    await page.getByLabel('Move up: Water').click()
    await page.locator('.entries li:first-child', { hasText: 'Water' }).waitFor()
    await page.getByLabel('Remove Machines').click()
    await page.getByRole('button', { name: 'Really?' }).click()
    await listed('Machines').waitFor({ state: 'detached' })
    await openSection(page, 'Default channels')
    await page.getByRole('button', { name: 'Add default channel' }).click()
    await page.getByLabel('Channel', { exact: true }).selectOption('#mill')
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('#mill').waitFor()
    await page.getByRole('button', { name: 'Add group of channels' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Builders')
    await page.getByLabel('#engine').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('Builders').getByText('#engine').waitFor()
    await page.getByLabel('Edit Builders').click()
    await page.getByLabel('Description').fill('who build')
    await page.getByLabel('#engine').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('Builders').getByText('who build', { exact: true }).waitFor()
    const { realm_default_stream_groups } = await state('default_stream_groups')
    t.match(realm_default_stream_groups, [{ name: 'Builders', description: 'who build', streams: [] }])
  })

  await t.test('profile fields keep the keys of their options', async t => {
    await openSection(page, 'Profile fields')
    await page.getByRole('button', { name: 'Add profile field' }).click()
    await page.getByLabel('Type').selectOption('List of options')
    await page.getByLabel('Name', { exact: true }).fill('Team')
    await page.getByLabel('Options').fill('Looms\n\nEngines\nLooms')
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('Team').waitFor()
    const fieldsOf = async () => (await state('custom_profile_fields')).custom_profile_fields
    const [field] = await fieldsOf()
    t.same(JSON.parse(field.field_data), {
      1: { text: 'Looms', order: '1' },
      2: { text: 'Engines', order: '2' },
    })
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: '2' }] })
    await page.getByLabel('Edit Team').click()
    await page.getByLabel('Options').fill('Mills\nEngines')
    await page.getByLabel('People change their own value').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('form').waitFor({ state: 'detached' })
    const [changed] = await fieldsOf()
    t.same(JSON.parse(changed.field_data), {
      3: { text: 'Mills', order: '1' },
      2: { text: 'Engines', order: '2' },
    })
    t.equal(changed.editable_by_user, false)
    await page.getByRole('button', { name: 'Add profile field' }).click()
    await page.getByLabel('Type').selectOption('Account on a website')
    t.equal(await page.getByLabel('Name', { exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Save' }).click()
    await listed('GitHub').waitFor()
  })

  t.same([...wrongs, ...hers.wrongs], [])
})
