// The status page in a real browser: two workers, live figures, and who may see them.
import t from 'tap'
import { spawnServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'

t.test('the status page', needsBrowser, async t => {
  const [server, browser] = await Promise.all([spawnServer(t, { WORKERS: '2' }), launchBrowser(t)])
  const owner = await server.person({ role: 100 })
  const member = await server.person()

  t.test('shows an owner what the server does, as it does it', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/status`, owner)
    await page.getByText('All is well').waitFor()
    t.equal(await page.locator('.panel canvas').count(), 9)
    await page.locator('.workers tbody tr').nth(1).waitFor()
    await page.getByText('Messages sent: 0').waitFor()
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'watched' }] })
    const send = () => owner.ok('POST', '/messages', { type: 'channel', to: 'watched', topic: 'n', content: 'counted' })
    for (let i = 0; i < 7; i++) await send()
    // Subscribing may have sent notices, too.
    await page.getByText(/Messages sent: ([7-9]|1\d)/).waitFor()
    t.pass('without a reload')
    await page.getByRole('button', { name: '2', exact: true }).click()
    t.equal(await page.getByRole('button', { name: '2', exact: true }).getAttribute('aria-pressed'), 'true')
    t.equal(await page.locator('.panel canvas').count(), 9)
    t.same(wrongs, [])
    await page.context().close()
  })

  t.test('fits a phone', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/status`, owner, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.getByText('All is well').waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing stands out to the side')
    t.same(wrongs, [])
    await page.context().close()
  })

  t.test('asks a member for another account, and a spectator for any', async t => {
    const refused = await openWindow(browser, `${server.url}/status`, member)
    await refused.page.getByText('your account is neither').waitFor()
    t.equal(await refused.page.locator('.panel').count(), 0)
    const spectator = await openWindow(browser, `${server.url}/status`, null)
    await spectator.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal(new URL(spectator.page.url()).searchParams.get('next'), '/status')
    t.same(refused.wrongs, [])
    await Promise.all([refused.page.context().close(), spectator.page.context().close()])
  })
})
