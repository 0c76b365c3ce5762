import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { NotifyScene } from '../api/notify/scene.js'
import { newMails } from '../support/mails.js'
import { freePort } from '../support/nginx.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'

t.test('the links of a mail about missed messages', needsBrowser, async t => {
  const port = String(await freePort())
  const server = await startServer(t, { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` })
  const { sql, config } = server
  const [ada, mary] = [await server.person({ full_name: 'Ada' }), await server.person({ full_name: 'Mary' })]
  const scene = new NotifyScene(server)
  const written = newMails(sql, config.dataDir)
  const wantsMails = async (who: Person) =>
    (await who.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings
      .enable_offline_email_notifications
  await scene.decided(await scene.direct(mary, [ada], 'the **engine** is ready'))
  await scene.periodEnds(ada)
  const [mail, ...more] = await written()
  t.same(more, [])
  const file = join(config.dataDir, 'mail.html')
  await writeFile(file, mail?.html ?? '')
  const browser = await launchBrowser(t)
  const { page } = await openWindow(browser, server.url, ada)
  const open = () => page.goto(pathToFileURL(file).href)
  const link = (name: string) => page.getByRole('link', { name })

  await t.test('lead to the message', async t => {
    await open()
    t.equal(await page.locator('.message strong').textContent(), 'engine')
    await link('Open the conversation').click()
    await messageWith(page, 'the engine is ready').waitFor()
    t.match(page.url(), /\/near\/\d+$/)
  })

  await t.test('lead to the settings of mails', async () => {
    await open()
    await link('Change which mails you get').click()
    await page.getByRole('main', { name: 'Notifications', exact: true }).waitFor()
  })

  await t.test('end the mails by one click, without a session, and only those of the reader', async t => {
    const { page: signedOut } = await openWindow(browser, `${server.url}/login/`, null)
    await signedOut.goto(pathToFileURL(file).href)
    const address = (await signedOut.getByRole('link', { name: 'Get no more' }).getAttribute('href')) ?? ''
    const other = address.replace(/\d+(-[^/]*)$/, `${mary.id}$1`)
    t.not(other, address)
    for (const wrong of [other, `${address}0`]) {
      t.equal((await signedOut.goto(wrong))?.status(), 404)
    }
    t.equal(await wantsMails(ada), true)
    await signedOut.goto(pathToFileURL(file).href)
    await signedOut.getByRole('link', { name: 'Get no more' }).click()
    await signedOut.getByText('You get no more of these mails').first().waitFor()
    t.equal(await wantsMails(ada), false)
    t.equal(await wantsMails(mary), true)
    t.same(await scene.reasons(await scene.direct(mary, [ada], 'not mailed')), {})
  })
})
