import type { BrowserContextOptions, Page } from 'playwright-core'
import t from 'tap'
import { newMails } from '../support/mails.js'
import { setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow, phone, smallPhone } from './support/browser.js'

t.test('people sign up and set new passwords in a browser', needsBrowser, async t => {
  const server = await startServer(t)
  await server.person({ role: 100, full_name: 'Olga Owner' })
  await setOrganization(server.sql, { invite_required: false })
  const browser = await launchBrowser(t)
  const mails = newMails(server.sql, server.config.dataDir)
  const pictures = process.env.PICTURES
  let taken = 0

  /** The page has no errors, is not wider than the window, and shows what it says. */
  const look = async (page: Page, heading: string, name: string) => {
    await page.getByRole('heading', { name: heading }).waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${heading} fits`)
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${++taken}.png` })
  }
  // The mail names the public address, of which a test does not know the port.
  const linkIn = (text = '') => server.url + (/http:\/\/[^/]+(\/accounts\/\S+)/.exec(text)?.[1] ?? '')

  const kinds: [string, BrowserContextOptions, Record<string, string>][] = [
    [
      'wide',
      {},
      {
        start: 'Sign up',
        email: 'Email address',
        go: 'Continue',
        sent: 'Look into your mails',
        form: 'Make your account',
        name: 'Your name',
        password: 'Password',
        create: 'Sign up',
      },
    ],
    [
      'phone',
      { ...phone, colorScheme: 'dark', locale: 'de-DE' },
      {
        start: 'Registrieren',
        email: 'E-Mail-Adresse',
        go: 'Weiter',
        sent: 'Sieh in deine E-Mails',
        form: 'Lege dein Konto an',
        name: 'Dein Name',
        password: 'Passwort',
        create: 'Registrieren',
      },
    ],
  ]
  for (const [kind, options, words] of kinds) {
    await t.test(`${kind}: from the address to the account`, async t => {
      const email = `${kind}-person@team.example`
      const { page, wrongs } = await openWindow(browser, `${server.url}/register/`, null, options)
      const { start = '', go = '', sent = '', form = '', name = '', create = '' } = words
      await look(page, start, kind)
      await page.getByLabel(words.email ?? '').fill('bot@system.invalid')
      await page.getByRole('button', { name: go }).click()
      await page.getByRole('alert').waitFor()
      await look(page, start, kind)
      await page.getByLabel(words.email ?? '').fill(email)
      await page.getByRole('button', { name: go }).click()
      await look(page, sent, kind)
      await page.goto(linkIn((await mails()).at(-1)?.text))
      await page.getByLabel(name).fill('Olga Owner')
      await page.getByLabel(words.password ?? '').fill('seven tall wooden boats')
      await page.getByRole('button', { name: create }).click()
      await page.getByRole('alert').waitFor()
      await look(page, form, kind)
      await page.getByLabel(name).fill(`Person ${kind}`)
      await page.getByLabel(words.password ?? '').fill('seven tall wooden boats')
      await page.getByRole('button', { name: create }).click()
      await page.waitForURL(`${server.url}/`)
      t.equal(
        (await server.sql`select from sessions s join users u on u.id = s.user_id where delivery_email = ${email}`)
          .length,
        1,
      )
      t.same(
        wrongs.filter(wrong => !wrong.startsWith('loaded again')),
        [],
      )
    })
  }

  await t.test('a new password, on the smallest screen', async t => {
    const { page, wrongs } = await openWindow(browser, `${server.url}/login/`, null, smallPhone)
    await look(page, 'Sign in', 'password')
    await page.getByRole('link', { name: 'Forgotten the password?' }).click()
    await look(page, 'New password', 'password')
    await page.getByLabel('Email address').fill('wide-person@team.example')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await look(page, 'Look into your mails', 'password')
    const link = linkIn((await mails()).at(-1)?.text)
    await page.goto(link)
    await look(page, 'Choose a new password', 'password')
    t.notMatch(page.url(), link.split('/').at(-2), 'the key is not in the address')
    await page.getByLabel('New password').fill('eight small iron bridges')
    await page.getByLabel('The same again').fill('eight small iron bridge')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The two are different').waitFor()
    await look(page, 'Choose a new password', 'password')
    await page.getByLabel('New password').fill('eight small iron bridges')
    await page.getByLabel('The same again').fill('eight small iron bridges')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await look(page, 'The password is set', 'password')
    await page.goto(link)
    await look(page, 'Nothing is here', 'password')
    t.same(
      wrongs.filter(wrong => !wrong.startsWith('loaded again')),
      [],
    )
  })
})
