import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { groupId, setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, needsBrowser, openWindow, smallPhone } from './support/browser.js'
import { isFocused, reachByKey } from './support/focus.js'
import { overflowing, tooSmall } from './support/overflowing.js'

const hostile = '<img src=x onerror=window.hit=1>'

t.test('the groups of the organization', needsBrowser, async t => {
  const server = await startServer(t)
  const olga = await server.person({ full_name: 'Olga Owner', role: 100 })
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const grace = await server.person({ full_name: 'Grace Hopper' })
  const guest = await server.person({ full_name: 'Gus Guest', role: 600 })
  const mallory = await server.person({ full_name: `Mallory ${hostile}` })
  const all = [olga, ada, mary, grace, guest, mallory].map(person => person.id)
  await olga.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }], principals: all })
  const { stream_id: channel } = await olga.ok('GET', '/get_stream_id', { stream: 'engine' })
  const everyone = await groupId(server.sql, 'role:everyone')
  const members = await groupId(server.sql, 'role:members')
  const nobody = await groupId(server.sql, 'role:nobody')
  const make = async (name: string, members: number[], more: object = {}) =>
    (await ada.ok('POST', '/user_groups/create', { name, description: `About ${name}`, members, ...more }))
      .group_id as number
  const set = (id: number, name: string, value: unknown) =>
    olga.ok('PATCH', `/user_groups/${id}`, { [name]: { new: value } })
  const groupsNow = async () =>
    (await olga.ok('GET', '/user_groups', { include_deactivated_groups: true })).user_groups as {
      id: number
      name: string
      description: string
      members: number[]
      direct_subgroup_ids: number[]
      deactivated: boolean
      [setting: string]: unknown
    }[]
  const now = async (id: number) => (await groupsNow()).find(group => group.id === id)
  const browser = await launchBrowser(t)
  const url = `${server.url}/#inbox`

  const click = (button: Locator) => button.click()
  const tap = (button: Locator) => button.tap()
  const openList = async (page: Page, press = click): Promise<Locator> => {
    await press(page.getByLabel('Your menu'))
    await press(page.getByRole('button', { name: 'Groups', exact: true }))
    const list = page.getByRole('dialog', { name: 'Groups', exact: true })
    await list.waitFor()
    return list
  }
  const rowOf = (list: Locator, name: string) => list.getByRole('listitem').filter({ hasText: name })
  const openGroup = async (page: Page, name: string, press = click): Promise<Locator> => {
    const list = await openList(page, press)
    await press(rowOf(list, name).locator('.choice-main'))
    const dialog = page.getByRole('dialog', { name, exact: true })
    await dialog.getByRole('tab').first().waitFor()
    return dialog
  }
  const openTab = (dialog: Locator, name: string) => dialog.getByRole('tab', { name }).click()
  const isSaved = (dialog: Locator) => dialog.getByText('Saved', { exact: true }).waitFor()
  const refusal = (dialog: Locator, text: string) => dialog.getByRole('alert').getByText(text).waitFor()
  const member = (dialog: Locator, name: string) => dialog.locator('.choice-main', { hasText: name })
  const gone = (target: Locator) => target.waitFor({ state: 'detached' })

  await t.test(
    'two windows: a member sees each change of the manager, and the manager those of the member',
    async t => {
      const hers = await openWindow(browser, url, ada)
      const other = await openWindow(browser, url, mary)
      const list = await openList(hers.page)
      await list.getByText('There are none yet.').waitFor()
      await list.getByRole('button', { name: 'Create group' }).click()
      const form = hers.page.getByRole('dialog', { name: 'Create group' })
      await form.getByLabel('Name').fill('  poets ')
      await form.getByLabel('What it is for').fill('Verses **and** rhymes')
      await form.getByRole('button', { name: 'Create group' }).click()
      const poets = hers.page.getByRole('dialog', { name: 'poets' })
      await poets.getByRole('button', { name: 'Leave poets' }).waitFor()
      const [made] = (await groupsNow()).filter(group => group.name === 'poets')
      t.match(made, { description: 'Verses **and** rhymes', members: [ada.id] })
      const id = made?.id ?? 0

      const seen = await openGroup(other.page, 'poets')
      await seen.getByText('Verses **and** rhymes').waitFor()
      await openTab(seen, 'Members')
      await openTab(poets, 'Members')
      await poets.getByLabel('Find members, or people to add').fill('some')
      await poets.getByRole('button', { name: 'Add Mary Somerville' }).click()
      await member(seen, 'Mary Somerville').waitFor()
      await poets.getByLabel('Find members, or people to add').fill('hop')
      await poets.getByRole('button', { name: 'Add Grace Hopper' }).click()
      await poets.getByLabel('Find members, or people to add').fill('mod')
      await poets.getByRole('button', { name: 'Add Moderators and administrators' }).click()
      await member(seen, 'Moderators and administrators').waitFor()
      await poets.getByLabel('Find members, or people to add').fill('')
      await poets.getByRole('button', { name: 'Remove Moderators and administrators' }).waitFor()
      await poets.getByRole('button', { name: 'Remove Grace Hopper' }).click()
      await gone(member(seen, 'Grace Hopper'))
      await seen.getByRole('button', { name: 'Leave poets' }).click()
      await gone(member(poets, 'Mary Somerville'))
      t.match(await now(id), { members: [ada.id] })

      await openTab(poets, 'Permissions')
      await poets.getByLabel('Join', { exact: true }).selectOption({ label: 'Members' })
      await isSaved(poets)
      await openTab(poets, 'Settings')
      await poets.getByLabel('Name').fill('writers')
      await poets.getByLabel('Name').press('Enter')
      const writers = other.page.getByRole('dialog', { name: 'writers' })
      await openTab(writers, 'Settings')
      await writers.getByRole('button', { name: 'Join writers' }).click()
      await writers.getByRole('button', { name: 'Leave writers' }).waitFor()
      t.match(await now(id), { name: 'writers', members: [ada.id, mary.id] })

      const mine = hers.page.getByRole('dialog', { name: 'writers' })
      await mine.getByRole('button', { name: 'Deactivate group' }).click()
      t.match(await now(id), { deactivated: false }, 'one click is not enough')
      await mine.getByLabel('Name').click()
      await mine.getByRole('button', { name: 'Deactivate group' }).click()
      await mine.getByRole('button', { name: 'Really deactivate' }).click()
      await other.page.getByText('This group is deactivated.').waitFor()
      await hers.page.getByRole('dialog', { name: 'Groups' }).getByText('There are none yet.').waitFor()
      t.match(await now(id), { deactivated: true })
      await other.page.getByLabel('All groups').click()
      await other.page.getByRole('dialog', { name: 'Groups' }).getByText('There are none yet.').waitFor()
      t.same([...hers.wrongs, ...other.wrongs], [])
    },
  )

  await t.test('who may not manage a group reads it and finds no controls', async t => {
    const id = await make('readers', [ada.id, mary.id, guest.id], { can_leave_group: nobody })
    for (const who of [mary, grace, guest]) {
      const { page, wrongs } = await openWindow(browser, url, who)
      const dialog = await openGroup(page, 'readers')
      await dialog.getByText('About readers').waitFor()
      const controls = dialog.locator('.tab-panel').locator('input, select, textarea, .button')
      t.equal(await controls.count(), 0, `${who.full_name}: settings`)
      await openTab(dialog, 'Members')
      await member(dialog, 'Ada Lovelace').waitFor()
      await dialog.getByLabel('Find members').fill('gra')
      await gone(member(dialog, 'Ada Lovelace'))
      t.equal(await dialog.locator('.tab-panel .button').count(), 0, `${who.full_name}: members`)
      await openTab(dialog, 'Permissions')
      await dialog.getByText('Ada Lovelace').first().waitFor()
      t.equal(await dialog.locator('.tab-panel').locator('input, select, button').count(), 0, `${who.full_name}`)
      t.same(wrongs, [])
      await page.context().close()
    }
    await set(id, 'can_join_group', { direct_members: [guest.id], direct_subgroups: [members] })
    await set(id, 'can_leave_group', everyone)
    const { page, wrongs } = await openWindow(browser, url, guest)
    const list = await openList(page)
    await rowOf(list, 'readers').waitFor()
    t.equal(await list.getByRole('button', { name: /^(?:Create|Join|Leave)/ }).count(), 0, 'guests change no members')
    t.same(wrongs, [])
    await setOrganization(server.sql, { can_create_groups: nobody })
    const hers = await openWindow(browser, url, grace)
    const others = await openList(hers.page)
    await others.getByRole('button', { name: 'Join readers' }).click()
    await others.getByRole('button', { name: 'Leave readers' }).waitFor()
    t.equal(await others.getByRole('button', { name: 'Create group' }).count(), 0)
    await setOrganization(server.sql, { can_create_groups: members })
    await others.getByLabel('Find a group').fill('zzz')
    await others.getByText('Nothing has this name.').waitFor()
    t.same(hers.wrongs, [])
  })

  await t.test('what the server refuses is said, and the field goes back', async t => {
    const id = await make('painters', [ada.id])
    await make('sculptors', [ada.id])
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openGroup(page, 'painters')
    const name = dialog.getByLabel('Name')
    for (const [wanted, reason] of [
      ['sculptors', 'already exists'],
      ['s\u0441ulptors', 'looks like'],
      ['   ', "can't be empty"],
      ['role:kings', 'cannot begin with'],
      ['@all', 'cannot begin with'],
    ] as const) {
      await name.fill(wanted)
      await name.press('Enter')
      await refusal(dialog, reason)
      t.equal(await name.inputValue(), 'painters', wanted)
    }
    await openTab(dialog, 'Permissions')
    const mention = dialog.getByLabel('Mention the group', { exact: true })
    await mention.selectOption({ label: 'Owners' })
    await refusal(dialog, 'cannot be set')
    t.equal(await mention.inputValue(), String(everyone))
    await dialog.getByLabel('All groups').click()
    const list = page.getByRole('dialog', { name: 'Groups' })
    await list.getByRole('button', { name: 'Create group' }).click()
    const form = page.getByRole('dialog', { name: 'Create group' })
    await form.getByLabel('Name').fill('painters')
    await form.getByLabel('What it is for').fill('Oil')
    await form.getByRole('button', { name: 'Create group' }).click()
    await refusal(form, 'already exists')
    t.equal(await form.getByLabel('What it is for').inputValue(), 'Oil', 'what was written stays')
    t.match(await now(id), { name: 'painters', can_mention_group: everyone })
    t.same(wrongs, [])
  })

  await t.test('a group in use is not deactivated, and the page says where it is used', async t => {
    const id = await make('singers', [ada.id])
    const choir = await make('choir', [], { subgroups: [id] })
    const drummers = await make('drummers', [], { can_join_group: id })
    const post = (value: number) => olga.ok('PATCH', `/streams/${channel}`, { can_send_message_group: { new: value } })
    await post(id)
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openGroup(page, 'singers')
    const deactivate = async () => {
      await dialog.getByRole('button', { name: 'Deactivate group' }).click()
      await dialog.getByRole('button', { name: 'Really deactivate' }).click()
    }
    await deactivate()
    await refusal(dialog, 'This group is still in use: choir, #engine, drummers.')
    await post(everyone)
    await set(drummers, 'can_join_group', nobody)
    await dialog.getByLabel('Name').click()
    await deactivate()
    await refusal(dialog, 'This group is still in use: choir.')
    t.match(await now(id), { deactivated: false })
    await ada.ok('POST', `/user_groups/${choir}/members`, { delete_subgroups: [id] })
    await dialog.getByLabel('Name').click()
    await deactivate()
    await gone(dialog)
    t.match(await now(id), { deactivated: true })
    t.same(wrongs, [])
  })

  await t.test('a manager who loses the permission loses the controls, also in an open dialog', async t => {
    const id = await make('dancers', [ada.id])
    const { page, wrongs } = await openWindow(browser, url, ada)
    const dialog = await openGroup(page, 'dancers')
    await openTab(dialog, 'Permissions')
    await dialog.getByRole('button', { name: 'Choose groups and people: Change the group' }).click()
    const editor = dialog.getByRole('group', { name: 'Change the group' })
    await set(id, 'can_manage_group', { direct_members: [ada.id, grace.id], direct_subgroups: [] })
    await editor.getByRole('button', { name: 'Remove Ada Lovelace' }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await refusal(dialog, 'Another person has changed this meanwhile.')
    await editor.getByRole('button', { name: 'Remove Grace Hopper' }).waitFor()
    await set(id, 'can_manage_group', nobody)
    await gone(editor)
    t.equal(await dialog.locator('.tab-panel').locator('input, select, button').count(), 0)
    await openTab(dialog, 'Members')
    await dialog.getByLabel('Find members, or people to add').waitFor()
    await set(id, 'can_add_members_group', nobody)
    await gone(dialog.getByLabel('Find members, or people to add'))
    await openTab(dialog, 'Settings')
    t.equal(await dialog.locator('input, textarea').count(), 0)
    t.match(await now(id), { can_manage_group: nobody, members: [ada.id] })
    t.same(wrongs, [])
  })

  await t.test('by keyboard alone', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    const press = async (target: Locator, key?: string) => {
      await reachByKey(page, target, key)
      await page.keyboard.press('Enter')
    }
    await page.getByLabel('Your menu').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Channel, topic, person or command').waitFor()
    await page.keyboard.type('groups')
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: 'Groups', exact: true })
    t.ok(await isFocused(list.getByLabel('Find a group')), 'one can type at once')
    await press(list.getByRole('button', { name: 'Create group' }))
    const form = page.getByRole('dialog', { name: 'Create group' })
    t.ok(await isFocused(form.getByLabel('Name')))
    await page.keyboard.type('gardeners')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'gardeners' })
    await reachByKey(page, dialog.getByRole('tab', { name: 'Settings' }))
    await page.keyboard.press('ArrowRight')
    await reachByKey(page, dialog.getByLabel('Find members, or people to add'))
    await page.keyboard.type('grace')
    await press(dialog.getByRole('button', { name: 'Add Grace Hopper' }))
    await isSaved(dialog)
    await press(dialog.getByRole('tab', { name: 'Members' }), 'Shift+Tab')
    await page.keyboard.press('ArrowLeft')
    await press(dialog.getByRole('button', { name: 'Leave gardeners' }))
    await dialog.getByRole('button', { name: 'Join gardeners' }).waitFor()
    const [made] = (await groupsNow()).filter(group => group.name === 'gardeners')
    t.same(made?.members, [grace.id])
    await press(dialog.getByRole('button', { name: 'Deactivate group' }))
    await page.keyboard.press('Enter')
    await gone(dialog)
    await page.keyboard.press('Escape')
    await gone(list)
    t.match(await now(made?.id ?? 0), { deactivated: true })
    t.same(wrongs, [])
  })

  await t.test('by touch alone, on the smallest screen, in either direction', async t => {
    const writers = await make('writers of very long books about everything', [grace.id])
    const id = await make('x'.repeat(100), [ada.id, mary.id], { subgroups: [writers] })
    const { page, wrongs } = await openWindow(browser, server.url, ada, smallPhone)
    const look = async (part: string) => {
      t.same(await tooSmall(page.locator('dialog[open]')), [], part)
      t.same(await violationsOf(page, 'light and dark'), [], part)
      for (const direction of ['rtl', 'ltr']) {
        await page.evaluate(`document.documentElement.dir = '${direction}'`)
        t.same(await overflowing(page), [], `${part}, ${direction}`)
      }
    }
    const dialog = page.getByRole('dialog', { name: 'x'.repeat(100) })
    const list = await openList(page, tap)
    await rowOf(list, 'writers of very').waitFor()
    await look('the list')
    await list.getByRole('button', { name: 'Create group' }).tap()
    await page.getByRole('dialog', { name: 'Create group' }).waitFor()
    await look('a new group')
    await page.getByLabel('All groups').tap()
    await rowOf(list, 'xxx').locator('.choice-main').tap()
    await dialog.getByLabel('What it is for').fill('y'.repeat(300))
    await dialog.getByRole('tab', { name: 'Members' }).tap()
    await isSaved(dialog)
    await dialog.getByLabel('Find members, or people to add').tap()
    await dialog.getByLabel('Find members, or people to add').fill('g')
    await dialog.getByRole('button', { name: 'Add Grace Hopper' }).waitFor()
    await look('the members')
    await dialog.getByRole('button', { name: 'Add Grace Hopper' }).tap()
    await dialog.getByRole('button', { name: 'Remove Grace Hopper' }).tap()
    await dialog.getByRole('button', { name: 'Add Grace Hopper' }).waitFor()
    await dialog.getByLabel('Find members, or people to add').fill('')
    await dialog.getByRole('button', { name: 'Remove writers of very long books about everything' }).tap()
    await gone(member(dialog, 'writers of very'))
    t.match(await now(id), { members: [ada.id, mary.id], direct_subgroup_ids: [] })
    await dialog.getByRole('tab', { name: 'Permissions' }).tap()
    await look('the permissions')
    await dialog.getByRole('tab', { name: 'Settings' }).tap()
    await dialog.getByRole('button', { name: 'Deactivate group' }).tap()
    await look('the settings')
    await dialog.getByRole('button', { name: 'Really deactivate' }).tap()
    await gone(dialog)
    t.match(await now(id), { deactivated: true, description: 'y'.repeat(300) })
    t.same(wrongs, [])
  })

  await t.test('the profile of a person leads to the groups, and hostile names are text', async t => {
    const id = await make(`${hostile} crew`, [mallory.id])
    await olga.ok('PATCH', `/user_groups/${id}`, { description: `<b>${hostile}</b>` })
    await make('zealots', [ada.id], { subgroups: [id] })
    const { page, wrongs } = await openWindow(browser, url, ada)
    const zealots = await openGroup(page, 'zealots')
    await openTab(zealots, 'Members')
    await member(zealots, `${hostile} crew`).click()
    const crew = page.getByRole('dialog', { name: `${hostile} crew` })
    await crew.getByLabel('What it is for').waitFor()
    t.equal(await crew.getByLabel('What it is for').inputValue(), `<b>${hostile}</b>`)
    await openTab(crew, 'Members')
    await member(crew, `Mallory ${hostile}`).click()
    const card = page.getByRole('dialog', { name: `Mallory ${hostile}` })
    await card.getByRole('button', { name: 'zealots' }).waitFor()
    await card.getByRole('button', { name: `${hostile} crew` }).click()
    await crew.getByRole('button', { name: 'Deactivate group' }).click()
    await crew.getByRole('button', { name: 'Really deactivate' }).click()
    await refusal(crew, 'zealots')
    await crew.getByLabel('All groups').click()
    const list = page.getByRole('dialog', { name: 'Groups', exact: true })
    await rowOf(list, `<b>${hostile}</b>`).waitFor()
    t.equal(await page.evaluate('window.hit'), undefined)
    t.equal(await page.locator('dialog img').count(), 0)
    t.same(wrongs, [])
  })
})
