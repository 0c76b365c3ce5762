import t from 'tap'
import { messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('back closes what lies above the page', needsBrowser, async t => {
  const { browser, url, ada } = await twoWindows(t)
  const { hash } = new URL(url)
  for (const options of [{}, phone])
    await t.test(options === phone ? 'on a phone' : 'in a window', async t => {
      const { page, wrongs } = await openWindow(browser, url, ada, options)
      const open = page.locator('dialog[open]')
      const here = () => new URL(page.url()).hash
      await messageWith(page, 'the first one').waitFor()
      const openDialog = async () => {
        await page.getByLabel('Snippets').click()
        await open.waitFor()
      }

      await openDialog()
      await page.goBack()
      await open.waitFor({ state: 'detached' })
      t.equal(here(), hash, 'the view stays')

      await openDialog()
      await page.keyboard.press('Escape')
      await open.waitFor({ state: 'detached' })
      await openDialog()
      await open.getByLabel('Close', { exact: true }).click()
      await openDialog()
      await page.goBack()
      await open.waitFor({ state: 'detached' })
      t.equal(here(), hash, 'closing by other means leaves nothing to go back through')

      await messageWith(page, 'the first one')
        .locator('.content')
        .dispatchEvent('contextmenu', { clientX: 200, clientY: 200 })
      await page.getByRole('menu').waitFor()
      await page.goBack()
      await page.getByRole('menu').waitFor({ state: 'detached' })
      t.equal(here(), hash, 'a menu closes, too')

      await page.keyboard.press('ControlOrMeta+k')
      await open.waitFor()
      await page.keyboard.type('starred')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#starred$/)
      await page.goBack()
      await page.waitForURL(new RegExp(`${hash}$`))
      t.equal(await open.count(), 0, 'a view that a dialog opened has the entry of the dialog')

      if (options !== phone) {
        await openDialog()
        const opened = await page.evaluate(`new Promise(done => {
          addEventListener('popstate', () => setTimeout(() => done(location.hash)), { once: true })
          document.querySelector('dialog[open] [aria-label="Close"]').click()
          // After the page has told the browser to go back, before the browser does.
          setTimeout(() => document.querySelector('a.row[href="#recent"]').click())
        })`)
        t.equal(opened, '#recent', 'an address that is opened while the entry of a dialog leaves stays')
        t.equal(await open.count(), 0)
        await page.goBack()
        await page.waitForURL(new RegExp(`${hash}$`))
      }
      t.same(wrongs, [])
    })
})
