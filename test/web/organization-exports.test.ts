import { readFile } from 'node:fs/promises'
import t from 'tap'
import { Archive } from '../support/exports.js'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('an administrator exports the organization in the page', needsBrowser, async t => {
  const server = await startServer(t)
  const admin = await server.person({ role: 200 })
  const owner = await server.person({ role: 100, settings: { allow_private_data_export: true } })
  const member = await server.person()
  await owner.ok('POST', '/messages', { type: 'private', to: [member.id], content: 'between us' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/exports`, admin)
  const pane = page.getByRole('main', { name: 'Export' })

  await t.test('chooses what it contains, and downloads it', async t => {
    await pane.getByText('1 of 3 people have agreed').waitFor()
    await pane.getByText('Nothing has been exported yet.').waitFor()
    await pane.getByLabel('What it contains').selectOption('full_with_consent')
    await pane.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pane.getByRole('link', { name: /^Download the export/ }).click(),
    ])
    t.match(download.suggestedFilename(), /^export-.*\.tar\.gz$/)
    t.ok((await Archive.of(await readFile(await download.path()))).contents.includes('between us'))
    t.same(await violationsOf(page, 'light'), [])
  })

  await t.test('requests what came since then, and deletes an archive', async t => {
    await pane.getByLabel(/^Only messages since/).check()
    await pane.getByRole('button', { name: 'Export', exact: true }).click()
    await pane
      .getByRole('link', { name: /^Download/ })
      .nth(1)
      .waitFor()
    await pane
      .getByRole('button', { name: /^Delete the export/ })
      .first()
      .click()
    await pane.getByRole('button', { name: /really/i }).click()
    await pane.getByText('deleted').waitFor()
    const rows = await server.sql<{ state: string; since: number }[]>`select state, since from exports order by id`
    t.same(
      rows.map(({ state, since }) => [state, since > 0]),
      [
        ['ready', false],
        ['deleted', true],
      ],
    )
  })

  await t.test('members have no such section', async t => {
    const his = await openWindow(browser, `${server.url}/#organization/exports`, member)
    await his.page.getByRole('link', { name: 'Storage' }).waitFor()
    t.equal(await his.page.getByRole('link', { name: 'Export', exact: true }).count(), 0)
  })
  t.same(wrongs, [])
})
