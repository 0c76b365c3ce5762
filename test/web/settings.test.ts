import type { Page } from 'playwright-core'
import t from 'tap'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { twoWindows } from './support/two-windows.js'

const openSettings = async (page: Page, tab: string) => {
  await page.getByLabel('Your menu').click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: tab }).click()
  return page.getByRole('tabpanel', { name: tab })
}

t.test('settings', needsBrowser, async t => {
  const { browser, url, ada, hers, other } = await twoWindows(t)
  const second = await openWindow(browser, url, ada)
  const themeIs = (page: Page, theme: string) => until(page, `document.documentElement.dataset.theme === '${theme}'`)

  await t.test('appearance: windows of one user follow each other, those of others do not', async t => {
    const { page } = hers
    const panel = await openSettings(page, 'Appearance')
    await panel.getByRole('button', { name: 'Dark' }).click()
    await themeIs(second.page, 'dark')
    t.equal((await ada.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings.color_scheme, 2)
    const time = messageWith(second.page, 'the first one').locator('.time')
    t.match(await time.textContent(), /^\d{1,2}:\d\d [ap]m$/)
    await panel.getByLabel('Times').selectOption('13:30')
    await time.getByText(/^\d\d:\d\d$/).waitFor()
    t.match(await messageWith(other.page, 'the first one').locator('.time').textContent(), /[ap]m$/)
    t.equal(await other.page.evaluate('document.documentElement.dataset.theme'), undefined)
    await second.page.getByLabel('Your menu').click()
    await second.page.getByLabel('Light').click()
    await themeIs(page, 'light')
    await page.keyboard.press('Escape')
  })

  await t.test('muted topics: an entry disappears when its topic is heard again', async t => {
    const { page } = hers
    const panel = await openSettings(page, 'Muted topics')
    await panel.getByText('You have muted no topic').waitFor()
    const { stream_id } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
    for (const topic of ['notes', '']) await ada.ok('POST', '/user_topics', { stream_id, topic, visibility_policy: 1 })
    await panel.getByRole('button', { name: 'Unmute #engine › general chat' }).click()
    await panel.getByRole('button', { name: 'Unmute #engine › general chat' }).waitFor({ state: 'detached' })
    const { user_topics } = await ada.ok('POST', '/register', { fetch_event_types: ['user_topic'] })
    t.same(
      user_topics.map((topic: { topic_name: string }) => topic.topic_name),
      ['notes'],
    )
    await page.keyboard.press('Escape')
  })

  await t.test('the keyboard moves between the tabs', async t => {
    const { page } = hers
    await openSettings(page, 'Appearance')
    await page.getByRole('tab', { name: 'Appearance' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Appearance')
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.title'), 'System', 'one stop for all tabs')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
  })

  t.same([...hers.wrongs, ...other.wrongs, ...second.wrongs], [])
})
