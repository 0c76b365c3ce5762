import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { leaveSettings, openSection } from './support/settings.js'

const picture = async (width: number, height: number) => ({
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: '#a52' } })
    .png()
    .toBuffer(),
})

t.test('icon and logo of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const [admin, member] = await Promise.all([server.person({ role: 200 }), server.person()])
  const browser = await launchBrowser(t)
  const his = await openWindow(browser, server.url, admin)
  const hers = await openWindow(browser, server.url, member)
  const outside = () => openWindow(browser, server.url, null)
  const head = hers.page.locator('.sidebar-head')
  const tabIcon = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href')

  await t.test('without them, the page shows its own', async t => {
    await head.locator('svg[viewBox="0 0 32 32"]').waitFor()
    t.equal(await tabIcon(hers.page), '/favicon.svg')
    await hers.page.getByLabel('Your menu').click()
    await hers.page.getByRole('button', { name: 'Organization', exact: true }).click()
    await hers.page.getByText('You can read these settings').waitFor()
    t.equal(await hers.page.locator('input[type="file"]').count(), 0, 'members do not change them')
    await leaveSettings(hers.page)
  })

  const dialog = await openSection(his.page, 'Organization', undefined, 'Organization')
  const input = (title: string) => dialog.getByLabel(title, { exact: true }).and(his.page.locator('input'))

  await t.test('an icon appears in all windows, in the tab, and where people sign in', async t => {
    await input('Icon').setInputFiles({ ...(await picture(1, 1)), buffer: Buffer.from('<svg/>') })
    await dialog.getByRole('alert').waitFor()
    await input('Icon').setInputFiles(await picture(300, 300))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.locator('.crop').waitFor({ state: 'detached' })
    await input('Icon').setInputFiles(await picture(300, 300))
    await dialog.getByRole('button', { name: 'Use this part' }).click()
    await head.locator('.organization-icon').waitFor()
    const address = await head.locator('.organization-icon').getAttribute('src')
    t.match(address, /^\/user_avatars\//)
    t.equal(await tabIcon(hers.page), address)
    t.equal(await dialog.getByRole('alert').count(), 0)
    const { page, wrongs } = await outside()
    await page.locator('.account-card .organization-icon').waitFor()
    t.equal(await tabIcon(page), address)
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('a logo takes the place of icon and name, another one in dark colours', async t => {
    const source = () => head.locator('.organization-logo').getAttribute('src')
    const shows = (address: string | null) =>
      until(
        hers.page,
        `document.querySelector('.organization-logo').getAttribute('src') === ${JSON.stringify(address)}`,
      )
    await input('Logo').setInputFiles(await picture(600, 100))
    await head.locator('.organization-logo').waitFor()
    const day = await source()
    await hers.page.emulateMedia({ colorScheme: 'dark' })
    t.equal(await source(), day, 'the only one serves for both')
    await input('Logo for dark colours').setInputFiles(await picture(500, 100))
    await until(hers.page, `!document.querySelector('.organization-logo').src.endsWith(${JSON.stringify(day)})`)
    const night = await source()
    await hers.page.emulateMedia({ colorScheme: 'light' })
    await shows(day)
    await hers.page.getByLabel('Your menu').click()
    await hers.page.getByLabel('Dark').click()
    await shows(night)
    t.equal(await hers.page.getByRole('heading', { level: 1 }).first().textContent(), 'Parley', 'its name stays')
  })

  await t.test('removed, they are gone everywhere', async t => {
    for (const title of ['Icon', 'Logo', 'Logo for dark colours'])
      await dialog.getByLabel(`Remove: ${title}`, { exact: true }).click()
    await head.locator('svg[viewBox="0 0 32 32"]').waitFor()
    await until(hers.page, `document.querySelector('link[rel="icon"]').getAttribute('href') === '/favicon.svg'`)
    const { page } = await outside()
    await page.locator('.account-card .organization-icon').waitFor()
    t.match(await tabIcon(page), /^\/static\//)
  })

  t.same([...his.wrongs, ...hers.wrongs], [])
})
