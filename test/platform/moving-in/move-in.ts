import type { Test } from 'tap'
import type { Language } from '../../../server/web/language/language.js'
import { slapdProgram } from '../../support/providers/slapd.js'
import { needsBrowser, phone } from '../../web/support/browser.js'
import { Company } from './scene.js'

const password = 'seven tall wooden boats'

/**
 * A company moves in, as its people would: on an empty server, in a browser, from the link that the start prints. The server and its public
 * address are those of `npm start`; a provider and a directory are real ones. With PICTURES it takes the pictures of docs/moving-in.md.
 */
export const moveIn = (t: Test, language: Language) =>
  t.test(`a company moves in: ${language}`, needsBrowser, async t => {
    const company = await Company.begin(t, language)
    const { url, mails } = company
    const texts = await company.texts()
    const { invitations } = texts

    const owner = await company.window(company.setupLink)
    await t.test('the setup link makes the owner, the rules and the channels', async () => {
      await owner.fill({
        organization: 'Harbour Works',
        full_name: 'Olga Ownby',
        email: 'olga@harbour.example',
        password,
      })
      await owner.page.locator('[name=joining][value=domain]').check()
      await owner.look('setup')
      await owner.send()
      await owner.arrive('Olga Ownby', 'first steps')
      await owner.look('first-steps')
      t.equal((await fetch(company.setupLink)).status, 404, 'the link is used up')
    })

    let link = ''
    await t.test('the owner invites two people by mail, and makes a link', async () => {
      const { page } = owner
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await page.goto(`${url}/#organization/invitations`)
      await button(invitations.byMail).click()
      const form = page.getByRole('form', { name: invitations.byMail })
      await form.getByLabel(texts.fields.invitee_emails).fill('mara@harbour.example\nnils@harbour.example')
      await owner.look('invite')
      await form.getByRole('button', { name: invitations.byMail }).click()
      await form.waitFor({ state: 'detached' })
      await button(invitations.byLink).click()
      const terms = page.getByRole('form', { name: invitations.byLink })
      await terms.getByRole('button', { name: invitations.byLink }).click()
      const row = page.locator('.listed', { hasText: '/join/' })
      await row.waitFor()
      link = /http:\S+\/join\/\w+\//.exec((await row.textContent()) ?? '')?.[0] ?? ''
      t.match(link, `${url}/join/`)
      await owner.look('invitations')
    })

    const invitation = await mails.withLink('mara@harbour.example')
    const mara = await company.window(invitation.link)
    await t.test('by mail: the link of the mail leads to the form', async () => {
      const mail = await company.window('about:blank')
      await mail.page.setContent(invitation.html)
      await mail.look('mail')
      await mail.page.context().close()
      await mara.fill({ full_name: 'Mara Mole', password })
      await mara.look('invited')
      await mara.send()
      await mara.arrive('Mara Mole')
      await mara.look('greeting')
    })

    await t.test('by mail, on a phone, dark', async () => {
      const { link } = await mails.withLink('nils@harbour.example')
      const nils = await company.window(link, { ...phone, colorScheme: 'dark' })
      await nils.fill({ full_name: 'Nils Nock', password })
      await nils.send()
      await nils.arrive('Nils Nock')
      t.same(nils.wrongs, [])
    })

    await t.test('by the link: the address is confirmed first', async () => {
      const lena = await company.window(link)
      await lena.fill({ email: 'lena@harbour.example' })
      await lena.look('link')
      await lena.send()
      await lena.page.waitForURL(/send_confirm/)
      await lena.look('confirm')
      await lena.page.goto((await mails.withLink('lena@harbour.example')).link)
      await lena.fill({ full_name: 'Lena Lotse', password })
      await lena.send()
      await lena.arrive('Lena Lotse')
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
      const { page } = owner
      const { create, members } = texts.userGroups
      await page.goto(`${url}/#organization/groups`)
      await page.getByRole('button', { name: create }).click()
      const group = page.getByRole('dialog', { name: create })
      await group.locator('input').first().fill('engineers')
      await group.getByRole('button', { name: create }).click()
      await group.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      const row = page.getByRole('button', { name: 'engineers' })
      await row.getByText(members(1)).waitFor()
      const pia = await company.window(`${url}/login/`)
      await pia.look('sign-in')
      await pia.page.getByRole('link', { name: 'Company' }).click()
      await pia.page.waitForURL(/complete/)
      await pia.look('provider')
      await pia.page.locator('a.button').first().click()
      await pia.arrive('Pia Pilot')
      t.match(await pia.own(), { role: 200, email: 'pia@harbour.example' })
      await row.getByText(members(2)).waitFor()
      await owner.look('groups')
      t.same(pia.wrongs, [])
    })

    const withDirectory = slapdProgram === undefined ? { skip: 'slapd is not installed' } : {}
    await t.test('by the directory: the name and the password there', withDirectory, async () => {
      const dirk = await company.window(`${url}/login/`, { ...phone })
      await dirk.fill({ username: 'dirk', password: 'the secret of dirk' })
      await dirk.send()
      await dirk.arrive('Dirk Deck')
      await dirk.look('newcomer')
      t.same(dirk.wrongs, [])
    })

    await t.test('by a passkey: added in the settings, it signs in alone', async t => {
      const paul = await company.window(link)
      const { page } = paul
      await paul.withAuthenticator()
      await paul.fill({ email: 'paul@harbour.example' })
      await paul.send()
      await page.waitForURL(/send_confirm/)
      await page.goto((await mails.withLink('paul@harbour.example')).link)
      await paul.fill({ full_name: 'Paul Pier', password })
      await paul.send()
      await paul.arrive('Paul Pier')
      await page.goto(`${url}/#settings/account`)
      await page.getByLabel(texts.factors.password).fill(password)
      await page.getByRole('button', { name: texts.factors.addPasskey }).click()
      await page.getByRole('region', { name: texts.factors.codes }).waitFor()
      await page.getByLabel(texts.factors.passkeyName).scrollIntoViewIfNeeded()
      await paul.look('passkey')
      await page.context().clearCookies()
      await page.goto(`${url}/login/`)
      await page.locator('a[href*="/passkey/"]').click()
      // The page asks the browser at once, and the authenticator answers without its user.
      await page.waitForURL(address => address.pathname === '/')
      await page.locator('.corner[data-phase="live"]').waitFor()
      t.equal((await paul.own()).full_name, 'Paul Pier')
      t.same(paul.wrongs, [])
    })

    await t.test('the owner changes a permission, and the page of a member changes at once', async () => {
      await mara.page.goto(`${url}/#organization/channels`)
      const create = mara.page.getByRole('button', { name: texts.frame.createChannel })
      await create.waitFor()
      await owner.page.goto(`${url}/#organization/permissions`)
      for (const right of ['can_create_public_channel_group', 'can_create_private_channel_group'] as const) {
        const row = owner.page.getByLabel(texts.rows[right], { exact: true })
        await row.selectOption(texts.choices.administrators)
      }
      await create.waitFor({ state: 'detached' })
      await owner.look('permission')
    })

    await t.test('a person who is removed loses the sockets', async t => {
      const { id } = await mara.own()
      t.ok(
        mara.sockets.some(socket => !socket.isClosed()),
        'a socket is open',
      )
      const { page } = owner
      await page.goto(`${url}/#organization/people`)
      await page.getByText('Paul Pier').waitFor()
      await owner.look('people')
      await page.goto(`${url}/#organization/people/${id}`)
      await page.getByRole('button', { name: texts.people.deactivate }).click()
      await owner.look('remove')
      const removed = performance.now()
      await page.getByRole('button', { name: texts.people.reallyDeactivate, exact: true }).click()
      await mara.closed()
      t.comment(`closed after ${Math.round(performance.now() - removed)} ms`)
      await mara.page.waitForURL(/\/login\//)
      await owner.look('removed')
    })
    t.same([...owner.wrongs, ...mara.wrongs], [])
  })
