import type { Page } from 'playwright-core'
import t from 'tap'
import { setOrganization } from '../support/organization.js'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { leaveSettings, openSection } from './support/settings.js'
import { twoWindows } from './support/two-windows.js'

t.test('settings', needsBrowser, async t => {
  const { server, browser, url, ada, hers, other } = await twoWindows(t)
  const second = await openWindow(browser, url, ada)
  const themeIs = (page: Page, theme: string) => until(page, `document.documentElement.dataset.theme === '${theme}'`)

  await t.test('appearance: windows of one user follow each other, those of others do not', async t => {
    const { page } = hers
    const panel = await openSection(page, 'Appearance')
    await panel.getByRole('button', { name: 'Dark' }).click()
    await themeIs(second.page, 'dark')
    t.equal((await ada.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings.color_scheme, 2)
    const time = messageWith(second.page, 'the first one').locator('.time')
    t.match(await time.textContent(), /^\d{1,2}:\d\d [ap]m$/)
    await panel.getByLabel('Times', { exact: true }).selectOption('13:30')
    await time.getByText(/^\d\d:\d\d$/).waitFor()
    t.match(await messageWith(other.page, 'the first one').locator('.time').textContent(), /[ap]m$/)
    t.equal(await other.page.evaluate('document.documentElement.dataset.theme'), undefined)
    await second.page.getByLabel('Your menu').click()
    await second.page.getByLabel('Light').click()
    await themeIs(page, 'light')
    await leaveSettings(page)
  })

  await t.test('profile: what the user writes is in the profile that others see', async t => {
    const owner = await server.person({ role: 100, full_name: 'Olive Owner' })
    const types = { about: 2, team: 3, born: 4, site: 5, mentor: 6, pronouns: 8 }
    const options = { a: { text: 'Engines', order: '2' }, b: { text: 'Looms', order: '1' } }
    for (const [name, field_type] of Object.entries(types)) {
      const field_data = field_type === 3 ? { field_data: options } : {}
      await owner.ok('POST', '/realm/profile_fields', { name, field_type, ...field_data })
    }
    await owner.ok('POST', '/realm/profile_fields', { name: 'badge', field_type: 1, editable_by_user: false })
    const { page } = hers
    const panel = await openSection(page, 'Profile')
    const saved = () => page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const leave = (label: string, text: string) =>
      panel
        .getByLabel(label)
        .fill(text)
        .then(() => page.keyboard.press('Tab'))
    await leave('about', 'writes *programs*')
    await panel.getByLabel('team', { exact: true }).selectOption('Looms')
    t.same(await panel.getByLabel('team', { exact: true }).locator('option').allTextContents(), [
      '',
      'Looms',
      'Engines',
    ])
    await leave('born', '1815-12-10')
    await leave('site', 'https://ada.example/')
    await panel.getByLabel('mentor', { exact: true }).fill('mary')
    await panel.getByRole('button', { name: 'Mary Somerville' }).click()
    await panel.getByRole('button', { name: 'Remove Mary Somerville' }).waitFor()
    await panel.getByLabel('Time zone', { exact: true }).fill('tokyo')
    await panel.getByRole('option', { name: 'Asia / Tokyo' }).getByText('UTC+09:00').waitFor()
    await page.keyboard.press('Enter')
    await saved()
    t.ok(await panel.getByLabel('badge', { exact: true }).isDisabled())
    await leave('site', 'not an address')
    const site = panel.locator('.setting', { has: page.getByLabel('site') })
    await site.getByRole('alert').getByText('site is not a URL').waitFor()
    t.equal(await panel.getByRole('alert').count(), 1, 'beside the field alone')
    await leave('Name', 'A')
    await page.getByRole('alert').getByText('Name too short').waitFor()
    await leave('Name', 'Ada King')
    const name = panel.locator('.setting', { has: page.getByLabel('Name', { exact: true }) })
    await name.getByRole('alert').waitFor({ state: 'detached' })
    await other.page.getByRole('button', { name: 'Ada King' }).click()
    const card = other.page.getByRole('dialog', { name: 'Ada King' })
    for (const text of ['Asia/Tokyo', 'Looms', '10 December 1815', 'https://ada.example/', 'Mary Somerville'])
      await card.locator('dd').getByText(text).waitFor()
    await panel.getByRole('button', { name: 'Remove Mary Somerville' }).click()
    await panel.getByLabel('team', { exact: true }).selectOption('')
    for (const text of ['Looms', 'Mary Somerville'])
      await card.locator('dd').getByText(text).waitFor({ state: 'detached' })
    await other.page.keyboard.press('Escape')
    await leaveSettings(page)
  })

  await t.test('muted topics: an entry disappears when its topic is heard again', async t => {
    const { page } = hers
    const panel = await openSection(page, 'Muted topics')
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
    await leaveSettings(page)
  })

  await t.test('appearance: messages have the size and the distance of lines that the user chooses', async t => {
    const { page } = hers
    const panel = await openSection(page, 'Appearance')
    const styleOf = (name: string) =>
      page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--message-${name}')`)
    t.same([await styleOf('size'), await styleOf('line')], ['16px', '1.4'])
    await panel.getByLabel('Size of messages', { exact: true }).selectOption('Large')
    await panel.getByLabel('Distance of lines in messages').selectOption('Close')
    await until(page, `document.documentElement.style.getPropertyValue('--message-line') === '1.22'`)
    t.equal(await styleOf('size'), '18px')
    await ada.ok('PATCH', '/settings', { web_font_size_px: 2_000_000 })
    await until(page, `document.documentElement.style.getPropertyValue('--message-size') === '32px'`)
    await leaveSettings(page)
  })

  await t.test('profile: without the right to it, the name cannot be edited', async t => {
    await setOrganization(server.sql, { name_changes_disabled: true })
    const { page, wrongs } = await openWindow(browser, url, ada)
    const panel = await openSection(page, 'Profile')
    t.ok(await panel.getByLabel('Name', { exact: true }).isDisabled())
    t.same(wrongs, [])
  })

  await t.test('each section and each setting has an address, and the back button leads through them', async t => {
    const { page, wrongs } = await openWindow(browser, `${url.split('#')[0]}#settings/privacy/send_read_receipts`, ada)
    await page.getByRole('main', { name: 'Privacy' }).waitFor()
    await until(page, `document.activeElement?.closest('.setting.meant') !== null`)
    t.equal(await page.evaluate('document.activeElement.type'), 'checkbox')
    await openSection(page, 'Muted topics')
    t.match(page.url(), /#settings\/muted-topics$/)
    await page.goBack()
    await page.getByRole('main', { name: 'Privacy' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    t.equal(await page.locator('.settings-page').count(), 1, 'a box keeps the Escape key')
    await page.getByRole('link', { name: 'Privacy' }).focus()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goto(`${url.split('#')[0]}#settings/nothing/<script>`)
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
    await page.context().close()
  })

  await t.test('the search finds settings of all sections by their words, and leads to them', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await openSection(page, 'Profile')
    const box = page.getByLabel('Find a setting')
    await box.fill('WRITING direct')
    await page.getByText('2 settings found').waitFor()
    const hit = page.getByRole('link', { name: 'That you are writing a direct message' }).first()
    await hit.getByText('Privacy').waitFor()
    await hit.click()
    await page.getByRole('main', { name: 'Privacy' }).locator('.setting.meant').waitFor()
    t.match(page.url(), /#settings\/privacy\/send_private_typing_notifications$/)
    await box.fill('zzz')
    await page.getByText('No setting has these words.').waitFor()
    await box.fill('')
    await page.getByRole('link', { name: 'Alert words' }).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  t.same([...hers.wrongs, ...other.wrongs, ...second.wrongs], [])
})
