import type { Page } from 'playwright-core'
import t from 'tap'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

const box = (page: Page) => page.locator('.composer-text')
const holds = (page: Page, text: string) => page.waitForSelector('.composer-text').then(() => valueIs(page, text))

/** Waits until the composer has this text. */
async function valueIs(page: Page, text: string): Promise<void> {
  for (;;) {
    if ((await box(page).inputValue()) === text) return
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

t.test('drafts', needsBrowser, async t => {
  const { browser, url, ada, hers, other } = await twoWindows(t)
  const second = await openWindow(browser, url, ada)
  const stored = async () => (await ada.ok('GET', '/drafts')).drafts.map((one: { content: string }) => one.content)

  await t.test('what is typed in one window is in the other one of the same person', async t => {
    await box(hers.page).fill('half a thought')
    await holds(second.page, 'half a thought')
    t.same(await stored(), ['half a thought'])
    t.equal(await box(other.page).inputValue(), '')
    await box(second.page).fill('half a thought, and the rest')
    await holds(hers.page, 'half a thought, and the rest')
    t.same(await stored(), ['half a thought, and the rest'], 'one draft for one place')
  })

  await t.test('a new window begins with it', async t => {
    const third = await openWindow(browser, url, ada)
    await holds(third.page, 'half a thought, and the rest')
    await third.page.close()
    t.same(third.wrongs, [])
  })

  await t.test('the list opens it, and deletes it', async t => {
    const { page } = hers
    const openList = async () => {
      await page.getByLabel('Your menu').click()
      await page.getByRole('button', { name: 'Drafts', exact: true }).click()
      return page.getByRole('dialog', { name: 'Drafts' })
    }
    await page.goto(`${url.split('#')[0]}#starred`)
    await (await openList()).getByRole('button', { name: /^Open the draft for #engine/ }).click()
    await holds(page, 'half a thought, and the rest')
    await (await openList()).getByRole('button', { name: /^Delete the draft for #engine/ }).click()
    await page.getByText('What you write and do not send is kept here.').waitFor()
    await page.keyboard.press('Escape')
    await holds(page, '')
    await holds(second.page, '')
    t.same(await stored(), [])
  })

  await t.test('sending removes it everywhere', async t => {
    await box(second.page).fill('to be sent')
    await holds(hers.page, 'to be sent')
    await box(second.page).press('Enter')
    await messageWith(hers.page, 'to be sent').waitFor()
    await holds(hers.page, '')
    t.same(await stored(), [])
  })

  await t.test('what is sent before the pause ends leaves no draft behind', async t => {
    await box(hers.page).fill('quick')
    await box(hers.page).press('Enter')
    await messageWith(second.page, 'quick').waitFor()
    await hers.page.evaluate('new Promise(resolve => setTimeout(resolve, 1500))')
    t.same(await stored(), [])
    t.equal(await box(second.page).inputValue(), '')
  })

  await t.test('a reload before the pause ends keeps the text, and the server gets it', async t => {
    await box(hers.page).fill('before a reload')
    await hers.page.reload()
    await holds(hers.page, 'before a reload')
    await holds(second.page, 'before a reload')
    t.same(await stored(), ['before a reload'])
  })

  await t.test('without synchronization a text stays in its window', async t => {
    await ada.ok('PATCH', '/settings', { enable_drafts_synchronization: false })
    await holds(second.page, '')
    await box(hers.page).fill('only here')
    await hers.page.evaluate('new Promise(resolve => setTimeout(resolve, 1500))')
    t.equal(await box(second.page).inputValue(), '')
    await hers.page.reload()
    await holds(hers.page, 'only here')
  })
  // This test itself loads her page again.
  const wrongs = hers.wrongs.filter(one => !one.startsWith('loaded again'))
  t.same([...wrongs, ...second.wrongs, ...other.wrongs], [])
})
