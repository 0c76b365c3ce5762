import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { groupId } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow, smallPhone } from './support/browser.js'
import { isFocused, reachByKey } from './support/focus.js'
import { overflowing, tooSmall } from './support/overflowing.js'

const hostile = '<img src=x onerror=window.hit=1>'

t.test('the holders of a permission of a channel', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 100 })
  const mary = await server.person({ full_name: 'Mary Somerville', role: 100 })
  const grace = await server.person({ full_name: 'Grace Hopper' })
  const mallory = await server.person({ full_name: `Mallory ${hostile}` })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, mary.id, grace.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const makeGroup = async (name: string, members: number[]) =>
    (await ada.ok('POST', '/user_groups/create', { name, description: '', members })).group_id as number
  const writers = await makeGroup('writers', [grace.id])
  const strange = await makeGroup(`${hostile} painters`, [mallory.id])
  const everyone = await groupId(server.sql, 'role:everyone')
  const moderators = await groupId(server.sql, 'role:moderators')
  const nobody = await groupId(server.sql, 'role:nobody')
  const path = `/streams/${channel}`
  const present = async (name = 'can_send_message_group') => (await ada.ok('GET', path)).stream[name]
  const set = (value: unknown) => mary.ok('PATCH', path, { can_send_message_group: { new: value } })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}`

  const openDialog = async (page: Page, press: (button: Locator) => Promise<void>): Promise<Locator> => {
    await press(page.getByLabel('More', { exact: true }))
    await press(page.getByRole('button', { name: 'Channel settings' }))
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await press(dialog.getByRole('tab', { name: 'Permissions' }))
    return dialog
  }
  const opener = (dialog: Locator, permission = 'Post messages') =>
    dialog.getByRole('button', { name: `Choose groups and people: ${permission}` })
  const click = (button: Locator) => button.click()
  const tap = (button: Locator) => button.tap()
  const isSaved = async (dialog: Locator, editor: Locator) => {
    await dialog.getByText('Saved', { exact: true }).waitFor()
    await editor.waitFor({ state: 'detached' })
  }
  const editorOf = (dialog: Locator, permission = 'Post messages') => dialog.getByRole('group', { name: permission })
  const chips = (editor: Locator) => editor.locator('.holders bdi').allTextContents()

  await t.test('by mouse: a group becomes a set of a group and a person, and a set becomes a group', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openDialog(page, click)
    await opener(dialog).click()
    const editor = editorOf(dialog)
    t.same(await chips(editor), ['All, guests included'])
    await editor.getByRole('option', { name: 'writers group' }).click()
    await editor.getByLabel('Find groups and people').fill('hop')
    await editor.getByRole('option', { name: 'Grace Hopper' }).click()
    await editor.getByRole('button', { name: 'Remove All, guests included' }).click()
    t.same(await chips(editor), ['writers', 'Grace Hopper'])
    t.equal(await present(), everyone, 'nothing is sent before saving')
    await editor.getByRole('button', { name: 'Save' }).click()
    await isSaved(dialog, editor)
    t.same(await present(), { direct_members: [grace.id], direct_subgroups: [writers] })
    await dialog.getByRole('list', { name: 'Post messages' }).getByText('Grace Hopper').waitFor()

    await opener(dialog).click()
    await editor.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await editor.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('list', { name: 'Post messages' }).getByText('Grace Hopper').waitFor()

    await opener(dialog).click()
    await editor.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await isSaved(dialog, editor)
    t.equal(await present(), writers)
    await dialog.getByLabel('Post messages', { exact: true }).selectOption({ label: 'All, guests included' })
    await dialog.getByText('Saved', { exact: true }).waitFor()
    t.equal(await present(), everyone)
    t.same(wrongs, [])
  })

  await t.test('by keyboard alone', async t => {
    await set(everyone)
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openDialog(page, button => button.press('Enter'))
    const editor = editorOf(dialog)
    const reach = (target: Locator, key?: string) => reachByKey(page, target, key)
    await reach(opener(dialog))
    await page.keyboard.press('Enter')
    const box = editor.getByLabel('Find groups and people')
    t.ok(await isFocused(box), 'one can type at once')
    await page.keyboard.press('Enter')
    t.same(await chips(editor), ['All, guests included'], 'Enter takes nothing that was not looked for')
    await page.keyboard.type('mary')
    await page.keyboard.press('Escape')
    t.equal(await box.inputValue(), '')
    await page.keyboard.type('writ')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    const first = await editor.getByRole('option', { selected: true }).textContent()
    await page.keyboard.press('ArrowUp')
    t.equal(await editor.getByRole('option', { selected: true }).count(), 0)
    t.match(first, 'Members')
    await page.keyboard.press('ArrowUp')
    t.match(await editor.getByRole('option', { selected: true }).textContent(), 'Mallory', 'from the text to the end')
    await reach(editor.getByRole('button', { name: 'Remove All, guests included' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    t.ok(await isFocused(editor.getByRole('button', { name: 'Remove writers' })), 'the focus goes to the next one')
    await page.keyboard.press('Space')
    t.ok(await isFocused(box), 'and after the last one to the text')
    await page.keyboard.type('hopper')
    await page.keyboard.press('Enter')
    await reach(editor.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await isSaved(dialog, editor)
    t.same(await present(), { direct_members: [grace.id], direct_subgroups: [] })
    t.ok(await isFocused(opener(dialog)))
    await page.keyboard.press('Enter')
    await editor.waitFor()
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'detached' })
    t.ok(await isFocused(opener(dialog)), 'Escape closes the editor alone')
    t.same(wrongs, [])
  })

  await t.test('by touch alone, on the smallest screen, in either direction', async t => {
    await set({ direct_members: [grace.id], direct_subgroups: [writers] })
    const { page, wrongs } = await openWindow(browser, url, ada, smallPhone)
    const dialog = await openDialog(page, tap)
    await opener(dialog).tap()
    const editor = editorOf(dialog)
    await editor.getByRole('option', { name: 'Moderators and administrators' }).tap()
    await editor.getByRole('button', { name: 'Remove writers' }).tap()
    t.same(await tooSmall(dialog.locator('.tab-panel')), [])
    t.same(await violationsOf(page, 'light and dark'), [])
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      t.same(await overflowing(page), [], direction)
    }
    await editor.getByRole('button', { name: 'Save' }).tap()
    await isSaved(dialog, editor)
    t.same(await present(), { direct_members: [grace.id], direct_subgroups: [moderators] })
    await opener(dialog).tap()
    await editor.getByRole('button', { name: 'Remove Moderators and administrators' }).tap()
    await editor.getByRole('button', { name: 'Remove Grace Hopper' }).tap()
    await editor.getByText('No one', { exact: true }).waitFor()
    await editor.getByRole('button', { name: 'Save' }).tap()
    await isSaved(dialog, editor)
    t.equal(await present(), nobody)
    t.same(wrongs, [])
  })

  await t.test('another owner changes them meanwhile: the editor says so and shows the new ones', async t => {
    await set(everyone)
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openDialog(page, click)
    await opener(dialog).click()
    const editor = editorOf(dialog)
    await editor.getByRole('option', { name: 'writers group' }).click()
    await set({ direct_members: [mary.id], direct_subgroups: [moderators] })
    await editor.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Another person has changed this meanwhile.').waitFor()
    await editor.getByRole('button', { name: 'Remove Mary Somerville' }).waitFor()
    t.same(await chips(editor), ['Moderators and administrators', 'Mary Somerville'])
    t.same(await present(), { direct_members: [mary.id], direct_subgroups: [moderators] })
    await editor.getByRole('option', { name: 'writers group' }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await isSaved(dialog, editor)
    t.equal(await dialog.getByRole('alert').count(), 0)
    t.same(await present(), {
      direct_members: [mary.id],
      direct_subgroups: [moderators, writers],
    })

    await opener(dialog).click()
    await editor.getByRole('button', { name: 'Remove Mary Somerville' }).click()
    await set({ direct_members: [], direct_subgroups: [writers, moderators] })
    await editor.getByRole('button', { name: 'Save' }).click()
    await isSaved(dialog, editor)
    t.pass('the same change by another owner is no conflict')
    t.same(wrongs, [])
  })

  await t.test('a refusal of the server is shown, and the choice stays', async t => {
    await ada.ok('PATCH', path, {
      can_administer_channel_group: { new: { direct_members: [grace.id], direct_subgroups: [] } },
    })
    const { page, wrongs } = await openWindow(browser, url, grace)
    const dialog = await openDialog(page, click)
    const deleting = 'Delete any message'
    await opener(dialog, deleting).click()
    const editor = editorOf(dialog, deleting)
    await editor.getByText('No one', { exact: true }).waitFor()
    await editor.getByRole('option', { name: 'Grace Hopper' }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Insufficient permission').waitFor()
    t.same(await chips(editor), ['Grace Hopper'])
    t.equal(await present('can_delete_any_message_group'), nobody)
    t.same(wrongs, [])
  })

  await t.test('hostile names are text', async t => {
    await set({ direct_members: [mallory.id], direct_subgroups: [strange] })
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openDialog(page, click)
    await dialog.getByRole('list', { name: 'Post messages' }).getByText(`Mallory ${hostile}`).waitFor()
    await opener(dialog).click()
    const editor = editorOf(dialog)
    t.same(await chips(editor), [`${hostile} painters`, `Mallory ${hostile}`])
    await editor.getByRole('button', { name: `Remove Mallory ${hostile}` }).click()
    await editor.getByLabel('Find groups and people').fill('mall')
    await editor.getByRole('option', { name: `Mallory ${hostile}` }).click()
    await editor.getByRole('button', { name: 'Cancel' }).click()
    t.equal(await page.evaluate('window.hit'), undefined)
    t.equal(await dialog.locator('img').count(), 0)
    t.same(wrongs, [])
  })
})
