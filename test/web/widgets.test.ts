import t from 'tap'
import { needsBrowser, openWindow, write } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('polls and to-do lists', needsBrowser, async t => {
  const { browser, url, mary, hers, other } = await twoWindows(t)

  await t.test('votes of one window are in the other one at once', async () => {
    await write(hers.page, '/poll Lunch?\nsoup\nbread')
    const [own, seen] = [hers, other].map(({ page }) => page.getByRole('region', { name: 'Poll: Lunch?' }))
    await seen?.getByRole('button', { name: 'soup, 0 votes' }).click()
    await own?.getByRole('button', { name: 'soup, 1 vote', pressed: false }).waitFor()
    await own?.getByText('Mary Somerville').waitFor()
    await own?.getByRole('button', { name: 'soup, 1 vote' }).press('Enter')
    await seen?.getByRole('button', { name: 'soup, 2 votes', pressed: true }).click()
    await own?.getByRole('button', { name: 'soup, 1 vote', pressed: true }).waitFor()
    await seen?.getByLabel('New option').fill('a grilled sandwich')
    await seen?.getByLabel('New option').press('Enter')
    await own?.getByRole('button', { name: 'a grilled sandwich, 0 votes' }).click()
    await seen?.getByRole('button', { name: 'a grilled sandwich, 1 vote' }).waitFor()
  })

  await t.test('tasks are added and ticked off', async t => {
    await write(hers.page, '/todo Chores\nwash: the car')
    const [own, seen] = [hers, other].map(({ page }) => page.getByRole('region', { name: 'To-do list: Chores' }))
    await seen?.getByLabel('wash').check()
    await own?.getByLabel('wash').and(own.locator(':checked')).waitFor()
    await seen?.getByLabel('New task').fill('dry')
    await seen?.getByRole('button', { name: 'Add' }).click()
    await own?.getByLabel('dry').waitFor()
    t.notOk(await own?.getByLabel('dry', { exact: true }).isChecked())
  })

  await t.test('a page that is opened later shows the same', async t => {
    const late = await openWindow(browser, url, mary)
    const poll = late.page.getByRole('region', { name: 'Poll: Lunch?' })
    await poll.getByRole('button', { name: 'soup, 1 vote', pressed: false }).waitFor()
    t.ok(await late.page.getByLabel('wash').isChecked())
    t.same([...hers.wrongs, ...other.wrongs, ...late.wrongs], [])
  })
})
