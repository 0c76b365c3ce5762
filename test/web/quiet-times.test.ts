import t from 'tap'
import { needsBrowser } from './support/browser.js'
import { overflowing } from './support/overflowing.js'
import { twoWindows } from './support/two-windows.js'

t.test('do not disturb, and a status that ends', needsBrowser, async t => {
  const { ada, hers, other } = await twoWindows(t)
  const { page } = hers
  const quiet = async () =>
    (await ada.ok('POST', '/register', { fetch_event_types: ['do_not_disturb'] })).do_not_disturb
  const open = async (name: string) => {
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name, exact: true }).click()
    return page.getByRole('dialog', { name, exact: true })
  }
  const dialog = await open('Do not disturb')
  t.same(await overflowing(page), [])
  await dialog.getByRole('button', { name: /^For an hour/ }).click()
  await dialog.waitFor({ state: 'detached' })
  const left = (await quiet()).until - Date.now() / 1000
  t.ok(left > 3500 && left <= 3600, `${left} s`)

  await open('Do not disturb')
  await dialog.getByText('There are no notifications until').waitFor()
  await dialog.getByRole('button', { name: 'End now' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open('Do not disturb')
  await dialog.getByLabel('Quiet from').fill('23:15')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same(await quiet(), { until: null, quiet_hours: { from: 23 * 60 + 15, to: 7 * 60 } })
  await open('Do not disturb')
  await dialog.getByRole('button', { name: 'No quiet hours' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same(await quiet(), { until: null, quiet_hours: null })

  const status = await open('Your status')
  await status.getByLabel('Text').fill('at lunch')
  await status.getByLabel('Ends').selectOption({ index: 1 })
  await status.getByRole('button', { name: 'Save' }).click()
  await status.waitFor({ state: 'detached' })
  const stored = async () => (await ada.ok('GET', `/users/${ada.id}/status`)).status
  const { expires_at } = await stored()
  t.match(await stored(), { status_text: 'at lunch', expires_at: Number })
  await open('Your status')
  t.equal(await status.getByLabel('Ends').inputValue(), String(expires_at), 'the dialog shows when it ends')
  await status.getByLabel('Text').fill('at lunch, outside')
  await status.getByRole('button', { name: 'Save' }).click()
  await status.waitFor({ state: 'detached' })
  t.same(await stored(), { status_text: 'at lunch, outside', expires_at })
  await open('Your status')
  await status.getByLabel('Ends').selectOption({ label: 'When I change it' })
  await status.getByRole('button', { name: 'Save' }).click()
  await status.waitFor({ state: 'detached' })
  t.same(await stored(), { status_text: 'at lunch, outside' })
  t.same([...hers.wrongs, ...other.wrongs], [])
})
