import { readFile } from 'node:fs/promises'
import t from 'tap'
import { until } from '../http/until.js'
import { Archive } from '../support/exports.js'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('the data of one person in the page', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  const admin = await server.person({ role: 200 })
  const member = await server.person({ full_name: 'Mona Member' })
  await member.ok('POST', '/messages', { type: 'private', to: [owner.id], content: 'between us' })
  const browser = await launchBrowser(t)
  const quotaOf = async () =>
    (await server.sql`select upload_quota_mib from users where id = ${member.id}`)[0]?.upload_quota_mib

  await t.test('a person makes an archive of its own data', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#settings/account`, member)
    const pane = page.getByRole('main')
    await pane.getByRole('button', { name: 'Make an archive' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pane.getByRole('link', { name: /^Download the export/ }).click(),
    ])
    t.ok((await Archive.of(await readFile(await download.path()))).contents.includes('between us'))
    t.same(await violationsOf(page, 'light'), [])
    await pane.getByRole('button', { name: /^Delete the export/ }).click()
    await pane.getByRole('button', { name: /really/i }).click()
    await pane.getByText('deleted').waitFor()
    t.same(wrongs, [])
  })

  await t.test('an administrator sets the space of a person and exports its data, but erases no one', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/people/${member.id}`, admin)
    const pane = page.getByRole('main')
    await pane.getByText('The files of this account take 0 MiB.').waitFor()
    await pane.getByLabel('Limit in MiB').fill('50')
    await pane.getByLabel('Limit in MiB').blur()
    await until(async () => (await quotaOf()) === 50)
    await pane.getByLabel('Limit in MiB').fill('')
    await pane.getByLabel('Limit in MiB').blur()
    await until(async () => (await quotaOf()) === null)
    await pane.getByRole('button', { name: 'Make an archive' }).click()
    await pane.getByRole('link', { name: /^Download the export/ }).waitFor()
    t.equal(await pane.getByText('Erase the person').count(), 0)
    t.same(await violationsOf(page, 'light'), [])
    t.same(wrongs, [])
  })

  await t.test('an owner erases a person once its name is typed', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/people/${member.id}`, owner)
    const pane = page.getByRole('main')
    const erase = pane.getByRole('button', { name: 'Erase for good' })
    await pane.getByText(/0 files, 0 reactions, \d+ further records/).waitFor()
    t.ok(await erase.isDisabled())
    await pane.getByLabel(/^Delete the messages of the person, too/).check()
    await pane.getByText(/1 message, 0 files/).waitFor()
    await pane.getByLabel(/^To confirm, type the name of the person/).fill('Mona')
    t.ok(await erase.isDisabled())
    await pane.getByLabel(/^To confirm, type the name of the person/).fill('Mona Member')
    t.same(await violationsOf(page, 'light'), [])
    await erase.click()
    await pane.getByText('Nothing is left of this person.').waitFor()
    const rows = await server.sql`select full_name, is_deleted from users where id = ${member.id}`
    t.match([...rows], [{ full_name: `Deleted user ${member.id}`, is_deleted: true }])
    t.equal((await server.sql`select from messages where sender_id = ${member.id}`).length, 0)
    t.same(wrongs, [])

    await page.goto(`${server.url}/#organization/people/${owner.id}`)
    await pane.getByRole('heading', { name: owner.full_name }).waitFor()
    t.equal(await pane.getByText('Erase the person').count(), 0, 'not of oneself')
  })
})
