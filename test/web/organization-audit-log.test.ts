import { readFile } from 'node:fs/promises'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('the audit log of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
  const admin = await server.person({ role: 200, full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  for (let n = 0; n < 60; n++) await owner.ok('PATCH', '/realm', { description: `version ${n}` })
  await admin.ok('PATCH', `/users/${mary.id}`, { role: 300 })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/audit-log`, admin)
  const entries = page.locator('.audit-entry')

  await t.test('the newest changes come first, with who made them and both values', async t => {
    await entries.first().waitFor()
    t.match(await entries.first().textContent(), /Account changed: Mary Somerville.*Ada Lovelace.*role\s*400 → 300/s)
    t.equal(await entries.count(), 50)
    await page.getByRole('button', { name: 'Show earlier changes' }).click()
    await entries.nth(60).waitFor()
  })

  await t.test('filters, and the file with the same changes', async t => {
    await page.getByLabel('What', { exact: true }).selectOption('Account changed')
    await page.locator('.audit-entry', { hasText: 'version' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Changed by').fill('Olive')
    await page.getByRole('button', { name: 'Olive Owner' }).click()
    await page.getByText('No change was found.').waitFor()
    await page.getByRole('button', { name: 'Remove Olive Owner' }).click()
    await page.getByLabel('Whose account').fill('Mary')
    await page.getByRole('button', { name: 'Mary Somerville' }).click()
    await entries.first().waitFor()
    await page.getByLabel('Until').fill('2001-01-01')
    await page.getByText('No change was found.').waitFor()
    await page.getByLabel('Until').fill('')
    await entries.first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as a table (CSV)' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    t.equal(lines.length, 1 + (await entries.count()))
    t.match(lines[1], 'realm_user/update')
  })

  await t.test('members have no such section', async t => {
    const hers = await openWindow(browser, `${server.url}/#organization/audit-log`, mary)
    await hers.page.getByRole('main', { name: 'Organization', exact: true }).waitFor()
    t.equal(await hers.page.getByRole('link', { name: 'Changes', exact: true }).count(), 0)
    t.same(hers.wrongs, [])
  })
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
