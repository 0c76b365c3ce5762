import t from 'tap'
import { readClosing } from '../../server/store/organization/closing.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('an owner closes the organization in the page', needsBrowser, async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  const admin = await server.person({ role: 200 })
  await owner.ok('PATCH', '/realm', { name: 'Lighthouse' })
  const browser = await launchBrowser(t)
  const title = 'Close this organization'
  const hers = await openWindow(browser, `${server.url}/#organization/closing`, owner)
  const his = await openWindow(browser, `${server.url}/#organization/closing`, admin)

  await t.test('administrators have no such section', async t => {
    await his.page.getByRole('link', { name: 'Storage' }).waitFor()
    t.equal(await his.page.getByRole('link', { name: title }).count(), 0)
  })

  await t.test('a wrong name or too few days do not close it', async t => {
    const pane = hers.page.getByRole('main', { name: title })
    const close = pane.getByRole('button', { name: 'Close the organization' })
    const name = pane.getByLabel('To confirm, type the name of the organization: Lighthouse')
    await name.fill('lighthouse')
    t.ok(await close.isDisabled())
    await name.fill('Lighthouse')
    await pane.getByLabel('Delete all data after so many days').fill('13')
    await close.click()
    await pane.locator('input:invalid').waitFor()
    t.ok(server.ctx.directory.organization.is_active)
  })

  await t.test('its pages then say that it is deactivated', async t => {
    const pane = hers.page.getByRole('main', { name: title })
    await pane.getByLabel('Delete all data after so many days').fill('30')
    await pane.getByRole('button', { name: 'Close the organization' }).click()
    for (const { page } of [hers, his]) {
      await page.getByRole('heading', { name: 'This organization is deactivated' }).waitFor()
    }
    const days = (Number((await readClosing(server.sql)).deletion_due) - server.ctx.clock.now()) / 86_400_000
    t.equal(Math.round(days), 30)
  })

  t.same(
    [...hers.wrongs, ...his.wrongs].filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
