import t from 'tap'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { startServer } from '../support/server.js'
import { historyAtRest, launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('people beside the conversation', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 200 })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const mallory = await server.person({ full_name: '<img src=x onerror=hit()>' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, mary.id],
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'the first one' })
  await ada.ok('POST', '/messages', { type: 'direct', to: [mallory.id], content: 'hello' })
  await ada.ok('POST', '/user_groups/create', { name: 'mathematicians', description: '', members: [mary.id] })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}/notes`

  await t.test('the keyboard shows the panel, filters it and opens a profile', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('the first one').waitFor()
    const panel = page.getByRole('complementary', { name: 'People' })
    t.equal(await panel.count(), 0, 'a window of this width has room for it only on request')
    await page.getByRole('heading', { level: 1 }).first().click()
    await page.keyboard.press('p')
    const members = panel.getByRole('region', { name: 'In this channel' })
    await members.getByRole('button', { name: 'Ada Lovelace' }).waitFor()
    t.equal(await members.getByRole('listitem').count(), 2)
    await panel.getByRole('region', { name: 'Others' }).getByText(mallory.full_name).waitFor()
    await panel.getByLabel('Filter people').fill('some')
    await members.getByText('Ada Lovelace').waitFor({ state: 'detached' })
    await panel.getByLabel('Filter people').press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const card = page.getByRole('dialog', { name: 'Mary Somerville' })
    await card.getByText('mathematicians').waitFor()
    await page.keyboard.press('Escape')
    await historyAtRest(page)
    await page.reload()
    await panel.waitFor()
    await panel.getByLabel('Hide people').click()
    await panel.waitFor({ state: 'detached' })
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })

  await t.test('members come and go while the panel is open', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada, { viewport: { width: 1500, height: 800 } })
    const members = page.getByRole('region', { name: 'In this channel' })
    await members.getByText('Mary Somerville').waitFor()
    await members.getByRole('button', { name: 'Add people' }).click()
    const dialog = page.getByRole('dialog', { name: '#engine' })
    await dialog.getByLabel('Find members').fill('<img')
    await dialog.getByLabel(`Add ${mallory.full_name}`).click()
    await dialog.getByText('Saved').waitFor()
    await dialog.getByLabel(`Remove ${mallory.full_name}`).waitFor()
    const { subscribers } = await ada.ok('GET', `/streams/${channel}/members`)
    t.ok(subscribers.includes(mallory.id))
    await dialog.getByLabel('Find members').fill('')
    await dialog.getByLabel('Remove Mary Somerville').click()
    await members.getByText('Mary Somerville').waitFor({ state: 'detached' })
    await mary.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
    await members.getByText('Mary Somerville').waitFor()
    t.same(wrongs, [])
  })

  await t.test('a finger opens people as a sheet, and a profile from it', async t => {
    for (const options of [phone, { ...phone, viewport: { width: 320, height: 640 } }]) {
      const { page, wrongs } = await openWindow(browser, url, mary, options)
      await page.getByText('the first one').waitFor()
      await page.getByLabel('People', { exact: true }).tap()
      const sheet = page.getByRole('dialog', { name: 'People' })
      await sheet.getByRole('button', { name: 'Ada Lovelace' }).tap()
      const card = page.getByRole('dialog', { name: 'Ada Lovelace' })
      await card.getByRole('button', { name: 'Write' }).tap()
      await page.waitForURL(/direct/)
      t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is cut off')
      t.same(wrongs, [])
    }
  })

  await t.test('a new conversation suggests people of earlier conversations', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('the first one').waitFor()
    await page.getByRole('heading', { level: 1 }).first().click()
    await page.keyboard.press('x')
    const dialog = page.getByRole('dialog', { name: 'New direct message' })
    await dialog.getByRole('listitem').first().getByText(mallory.full_name).waitFor()
    await page.keyboard.press('Tab')
    t.same(wrongs, [])
  })

  await t.test('a group conversation has the faces of two people, or of one and the number of the others', async t => {
    const bob = await server.person({ full_name: 'Bob Kahn' })
    await ada.ok('POST', '/messages', { type: 'direct', to: [mary.id, bob.id], content: 'two others' })
    await ada.ok('POST', '/messages', { type: 'direct', to: [mary.id, bob.id, mallory.id], content: 'three others' })
    const { page, wrongs } = await openWindow(browser, url, ada)
    const facesOf = async (name: string) => {
      const row = page.locator('.person-place').filter({ has: page.getByText(name, { exact: true }) })
      const faces = row.locator('.group-faces > *')
      await faces.nth(1).waitFor()
      const second = faces.nth(1)
      return [
        await faces.nth(0).getAttribute('data-initials'),
        (await second.getAttribute('data-initials')) ?? (await second.textContent()),
      ]
    }
    t.same(await facesOf('Mary Somerville, Bob Kahn'), ['MS', 'BK'])
    t.same(await facesOf(`Mary Somerville, ${mallory.full_name}, Bob Kahn`), ['MS', '2'])
    t.same(wrongs, [])
  })

  await t.test('End and Home go to the ends of a section, where the button for more people is', async t => {
    await server.sql.begin(
      async tx => tx`
        insert into users (delivery_email, full_name, role, email_address_visibility, api_key, settings, is_active, date_joined, version)
        select 'p' || n || '@many.example', 'Person ' || n, 400, 1, md5('key' || n), '{}', true, now(), ${await bumpVersion(tx)}
        from generate_series(1, 130) as n`,
    )
    const { page, wrongs } = await openWindow(browser, url, ada, { viewport: { width: 1500, height: 800 } })
    const others = page.getByRole('region', { name: 'Others' })
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const filter = page.getByLabel('Filter people')
    await page.getByRole('button', { name: 'Find others by name' }).click()
    t.equal(await others.getByRole('listitem').count(), 24, 'the others are found by name')
    await page.keyboard.type('person')
    await others.getByText('Person 10', { exact: true }).waitFor()
    await others.getByRole('button').first().focus()
    const first = await focused()
    await page.keyboard.press('End')
    const [, more] = /^(\d+) more$/.exec(await focused()) ?? []
    await page.keyboard.press('Enter')
    t.equal(await others.getByRole('listitem').count(), 100 + Number(more), 'there is no button any more')
    t.equal(await focused(), await others.getByRole('listitem').nth(100).textContent(), 'the first of the new ones')
    await page.keyboard.press('Home')
    t.equal(await focused(), first)
    await filter.fill('person')
    await filter.press('Home')
    await page.keyboard.type('a ')
    t.equal(await filter.inputValue(), 'a person', 'in the filter they move the cursor')
    t.same(wrongs, [])
  })
})
