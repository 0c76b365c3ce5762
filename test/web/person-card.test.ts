import t from 'tap'
import { messageWith, needsBrowser } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

const field = (type: number, name: string, data?: object) => ({
  field_type: type,
  name,
  ...(data && { field_data: data }),
})

t.test('the profile of a person', needsBrowser, async t => {
  const { server, ada, mary, hers, other } = await twoWindows(t)
  const owner = await server.person({ role: 100 })
  const make = async (given: ReturnType<typeof field>) =>
    Number((await owner.ok('POST', '/realm/profile_fields', given)).id)
  const ids = {
    about: await make(field(2, 'About')),
    team: await make(field(3, 'Team', { a: { text: 'Engines', order: '1' } })),
    born: await make(field(4, 'Born')),
    site: await make(field(5, 'Site')),
    mentor: await make(field(6, 'Mentor')),
    account: await make(
      field(7, 'Account', { subtype: 'custom', url_pattern: 'https://code.example/%(username)s/about' }),
    ),
    pronouns: await make(field(8, 'Pronouns')),
  }
  const data = [
    { id: ids.about, value: 'writes **programs** <script>alert(1)</script>' },
    { id: ids.team, value: 'a' },
    { id: ids.born, value: '1815-12-10' },
    { id: ids.site, value: 'https://ada.example/"><b>' },
    { id: ids.mentor, value: [mary.id] },
    { id: ids.account, value: '../ada lovelace' },
    { id: ids.pronouns, value: 'she' },
  ]
  await ada.ok('PATCH', '/users/me/profile_data', { data })
  await ada.ok('PATCH', '/settings', { timezone: 'Asia/Kolkata' })
  await ada.ok('POST', '/users/me/status', { status_text: 'on a train' })
  const { page } = other
  const card = page.getByRole('dialog', { name: 'Ada Lovelace' })
  const fact = (name: string) =>
    card.locator('.facts div', { has: page.getByRole('term').getByText(name, { exact: true }) }).locator('dd')
  const message = messageWith(page, 'the first one')

  await t.test('opens by keyboard from the name in a message, and returns the focus', async t => {
    await message.getByRole('button', { name: 'Ada Lovelace' }).focus()
    await page.keyboard.press('Enter')
    await card.getByText('Member').waitFor()
    await card.getByText('on a train').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    t.equal(await page.evaluate('document.activeElement.className'), 'sender')
  })

  await t.test('shows each kind of field, and values are never markup', async t => {
    await message.locator('.avatar-button').click()
    await fact('Local time').getByText('Asia/Kolkata').waitFor()
    t.match(await fact('Local time').textContent(), /^\d{1,2}:\d\d [ap]m \(Asia\/Kolkata\)$/)
    t.equal(await fact('Email').textContent(), ada.email)
    t.equal(await fact('About').locator('strong').textContent(), 'programs')
    t.equal(await fact('About').locator('script').count(), 0)
    t.equal(await fact('Team').textContent(), 'Engines')
    t.equal(await fact('Born').textContent(), '10 December 1815')
    t.equal(await fact('Site').textContent(), 'https://ada.example/"><b>')
    t.equal(await fact('Account').locator('a').getAttribute('href'), 'https://code.example/..%2Fada%20lovelace/about')
    t.equal(await fact('Account').locator('a').getAttribute('rel'), 'noopener noreferrer nofollow')
    t.equal(await fact('Pronouns').textContent(), 'she')
  })

  await t.test('follows changes while it is open', async t => {
    await ada.ok('PATCH', '/users/me/profile_data', { data: [{ id: ids.pronouns, value: 'they' }] })
    await fact('Pronouns').getByText('they').waitFor()
    await owner.ok('DELETE', `/realm/profile_fields/${ids.born}`)
    await fact('Born').waitFor({ state: 'detached' })
    await ada.ok('PATCH', '/settings', { timezone: '' })
    await fact('Local time').waitFor({ state: 'detached' })
    await owner.ok('DELETE', `/users/${ada.id}`)
    await card.getByText('Deactivated').waitFor()
    t.equal(await card.getByRole('button', { name: 'Write' }).count(), 0)
    await owner.ok('POST', `/users/${ada.id}/reactivate`)
    await card.getByRole('button', { name: 'Write' }).waitFor()
  })

  await t.test('leads to other people and to the conversation, whose title and face open it, too', async t => {
    await fact('Mentor').getByRole('button', { name: 'Mary Somerville' }).click()
    await page.getByRole('dialog', { name: 'Mary Somerville' }).getByText('Write a note to yourself').waitFor()
    await page.keyboard.press('Escape')
    await message.locator('.avatar-button').click()
    await card.getByRole('button', { name: 'Write' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    t.match(page.url(), `#direct/${ada.id}`)
    await page.getByRole('heading', { name: 'Ada Lovelace' }).getByRole('button').click()
    await card.waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('About Ada Lovelace').click()
    await card.waitFor()
  })

  // The deactivation led her page to the sign-in.
  t.same([...hers.wrongs.filter(wrong => !wrong.startsWith('loaded again')), ...other.wrongs], [])
})
