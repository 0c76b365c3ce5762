// A company moves in, as its people would: on an empty server, in a browser, from the link that the start prints. The server and its public
// address are those of `npm start`; a provider and a directory are real ones. With PICTURES it takes pictures of each step.
import t from 'tap'
import { slapdProgram } from '../../support/providers/slapd.js'
import { needsBrowser, phone } from '../../web/support/browser.js'
import { Company } from './scene.js'

const german = { locale: 'de-DE', colorScheme: 'dark' } as const
const password = 'seven tall wooden boats'

t.test('a company moves in', needsBrowser, async t => {
  const company = await Company.begin(t)
  const { url, mails } = company

  const owner = await company.window(company.setupLink)
  await t.test('the setup link makes the owner, the rules and the channels', async () => {
    await owner.look('setup')
    const guest = await company.window(company.setupLink, german)
    await guest.look('setup-de')
    await guest.page.context().close()
    await owner.fill({
      organization: 'Harbour Works',
      full_name: 'Olga Ownby',
      email: 'olga@harbour.example',
      password,
    })
    await owner.page.locator('[name=joining][value=domain]').check()
    await owner.send()
    await owner.arrive('Olga Ownby', 'first steps')
    await owner.look('owner')
    t.equal((await fetch(company.setupLink)).status, 404, 'the link is used up')
  })

  let link = ''
  await t.test('the owner invites two people by mail, and makes a link', async () => {
    const { page } = owner
    await page.goto(`${url}/#organization/invitations`)
    await page.getByRole('button', { name: 'Invite people by mail' }).click()
    const form = page.getByRole('form', { name: 'Invite people by mail' })
    await form.getByLabel('Email addresses').fill('mara@harbour.example\nnils@harbour.example')
    await owner.look('invite')
    await form.getByRole('button', { name: 'Invite people by mail' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByRole('form', { name: 'Make a link' }).getByRole('button', { name: 'Make a link' }).click()
    const row = page.locator('.listed', { hasText: '/join/' })
    await row.waitFor()
    link = /http:\S+\/join\/\w+\//.exec((await row.textContent()) ?? '')?.[0] ?? ''
    t.match(link, `${url}/join/`)
    await owner.look('invitations')
  })

  const mara = await company.window(await mails.link('mara@harbour.example'))
  await t.test('by mail: the link of the mail leads to the form', async () => {
    await mara.look('invited')
    await mara.fill({ full_name: 'Mara Mole', password })
    await mara.send()
    await mara.arrive('Mara Mole')
    await mara.look('member')
  })

  await t.test('by mail, on a phone, in German', async () => {
    const nils = await company.window(await mails.link('nils@harbour.example'), { ...phone, ...german })
    await nils.look('invited-de')
    await nils.fill({ full_name: 'Nils Nock', password })
    await nils.send()
    await nils.arrive('Nils Nock')
    await nils.look('member-de')
    t.same(nils.wrongs, [])
  })

  await t.test('by the link: the address is confirmed first', async () => {
    const lena = await company.window(link, german)
    await lena.look('link')
    await lena.fill({ email: 'lena@harbour.example' })
    await lena.send()
    await lena.page.waitForURL(/send_confirm/)
    await lena.look('confirm')
    await lena.page.goto(await mails.link('lena@harbour.example'))
    await lena.fill({ full_name: 'Lena Lotse', password })
    await lena.send()
    await lena.arrive('Lena Lotse')
    await lena.look('greeting-de')
    t.same(lena.wrongs, [])
  })

  await t.test('by the provider: its groups decide on role and groups here', async () => {
    company.provider.people.set('pia', {
      email: 'pia@harbour.example',
      email_verified: true,
      name: 'Pia Pilot',
      groups: ['bosses', 'engineering'],
    })
    company.provider.present = 'pia'
    await owner.page.goto(`${url}/#organization/groups`)
    const pia = await company.window(`${url}/login/`)
    await pia.look('sign-in')
    await pia.page.getByRole('link', { name: 'Company' }).click()
    await pia.page.waitForURL(/complete/)
    await pia.look('provider')
    await pia.page.locator('a.button').first().click()
    await pia.arrive('Pia Pilot')
    t.match(await pia.own(), { role: 200, email: 'pia@harbour.example' })
    t.same(pia.wrongs, [])
  })

  const withDirectory = slapdProgram === undefined ? { skip: 'slapd is not installed' } : {}
  await t.test('by the directory: the name and the password there', withDirectory, async () => {
    const dirk = await company.window(`${url}/login/`, { ...phone })
    await dirk.look('directory')
    await dirk.fill({ username: 'dirk', password: 'the secret of dirk' })
    await dirk.send()
    await dirk.arrive('Dirk Deck')
    t.same(dirk.wrongs, [])
  })

  await t.test('by a passkey: added in the settings, it signs in alone', async t => {
    const paul = await company.window(link)
    await paul.withAuthenticator()
    await paul.fill({ email: 'paul@harbour.example' })
    await paul.send()
    await paul.page.waitForURL(/send_confirm/)
    await paul.page.goto(await mails.link('paul@harbour.example'))
    await paul.fill({ full_name: 'Paul Pier', password })
    await paul.send()
    await paul.arrive('Paul Pier')
    await paul.page.goto(`${url}/#settings/account`)
    await paul.page.getByLabel('Your password, for each change').fill(password)
    await paul.page.getByRole('button', { name: 'Add a passkey' }).click()
    await paul.page.getByRole('region', { name: 'Recovery codes' }).waitFor()
    await paul.page.getByLabel('Name of the passkey').scrollIntoViewIfNeeded()
    await paul.look('passkey')
    await paul.page.context().clearCookies()
    await paul.page.goto(`${url}/login/`)
    await paul.page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    // The page asks the browser at once, and the authenticator answers without its user.
    await paul.page.waitForURL(address => address.pathname === '/')
    await paul.page.locator('.corner[data-phase="live"]').waitFor()
    t.equal((await paul.own()).full_name, 'Paul Pier')
    t.same(paul.wrongs, [])
  })

  await t.test('the owner changes a permission, and the page of a member changes at once', async () => {
    await mara.page.goto(`${url}/#organization/channels`)
    const create = mara.page.getByRole('button', { name: 'Create channel' })
    await create.waitFor()
    await owner.page.goto(`${url}/#organization/permissions`)
    for (const right of ['Create public channels', 'Create private channels'])
      await owner.page.getByLabel(right, { exact: true }).selectOption('Administrators')
    await create.waitFor({ state: 'detached' })
    await owner.look('permission')
  })

  await t.test('a person who is removed loses the sockets', async t => {
    const { id } = await mara.own()
    t.ok(
      mara.sockets.some(socket => !socket.isClosed()),
      'a socket is open',
    )
    await owner.page.goto(`${url}/#organization/people/${id}`)
    await owner.page.getByRole('button', { name: 'Deactivate the account' }).click()
    const removed = performance.now()
    await owner.page.getByRole('button', { name: 'Really deactivate', exact: true }).click()
    await mara.closed()
    t.comment(`closed after ${Math.round(performance.now() - removed)} ms`)
    await mara.page.waitForURL(/\/login\//)
    await owner.look('removed')
  })
  t.same([...owner.wrongs, ...mara.wrongs], [])
})
