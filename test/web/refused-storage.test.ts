import t from 'tap'
import { hashPassword } from '../../server/auth/passwords.js'
import { messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

// Text: it runs in the page. The browser itself throws so where the user has forbidden storage, or has no room.
const refused = `for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })`
const full = `Storage.prototype.setItem = () => { throw new DOMException('No room', 'QuotaExceededError') }`

t.test('a browser that keeps nothing', needsBrowser, async t => {
  const { server, browser, url, ada, mary } = await twoWindows(t)
  const hash = await hashPassword('open sesame')
  await server.sql`update users set password_hash = ${hash} where id = ${ada.id}`
  for (const [name, program] of Object.entries({ refused, full }))
    await t.test(
      `${name} storage: the page signs in, reads, writes, and is still signed in after a reload`,
      async t => {
        const window = await openWindow(browser, 'about:blank', null)
        const { page } = window
        await page.addInitScript(program)
        const wrongs: string[] = []
        page.on('pageerror', error => wrongs.push(error.message))
        await page.goto(url)
        const signIn = async () => {
          await page.getByLabel('Email').fill(ada.email)
          await page.getByLabel('Password').fill('open sesame')
          await page.getByRole('button', { name: 'Sign in' }).click()
          await messageWith(page, 'the first one').waitFor()
        }
        await signIn()
        await write(page, `written with ${name} storage`)
        await messageWith(page, `written with ${name} storage`).waitFor()
        await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: `read with ${name} storage` })
        await page.getByRole('link', { name: 'Inbox' }).click()
        await page.locator('.inbox-row', { hasText: 'Mary Somerville' }).click()
        await messageWith(page, `read with ${name} storage`).waitFor()

        // What one types is a draft on the server, and in this window.
        await page.locator('.composer-text').fill('half a thought')
        const drafts = async () => (await ada.ok('GET', '/drafts')).drafts.length
        while ((await drafts()) === 0) await page.evaluate('new Promise(requestAnimationFrame)')
        await page.locator('.composer-text').fill('')
        while ((await drafts()) > 0) await page.evaluate('new Promise(requestAnimationFrame)')

        await page.getByLabel('People', { exact: true }).click()
        await page.locator('.person-row').first().waitFor()
        await page.getByLabel('Your menu').click()
        await page.getByLabel('Dark').click()
        await page.locator('html[data-theme="dark"]').waitFor()
        await page.keyboard.press('Escape')

        await page.goto(url)
        await page.reload()
        await messageWith(page, 'the first one').waitFor()
        await page.getByLabel('Your menu').click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        t.same(wrongs, [])
      },
    )
})
