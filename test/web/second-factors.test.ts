import { createServer } from 'node:net'
import t from 'tap'
import { until } from '../http/until.js'
import { codeAt } from '../support/authenticator.js'
import { givePassword, password } from '../support/browser.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { openSection } from './support/settings.js'

/** A port of this machine that is free. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise(resolve => probe.close(resolve))
  return port
}

t.test('second factors in a browser', needsBrowser, async t => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await startServer(t, { PORT: String(port), PUBLIC_URL: url })
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await givePassword(server.sql, ada)
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${url}/#inbox`, null)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  const verified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  const byPassword = async () => {
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const inChat = () => page.locator('.sidebar').waitFor()
  const signOut = async () => {
    await page.context().clearCookies()
    await page.goto(`${url}/login/`)
  }
  const methods = async () =>
    (await server.sql`select method from sessions where user_id = ${ada.id} order by id`).map(({ method }) => method)

  await t.test('a passkey is added in the settings, with recovery codes, and renamed', async t => {
    await byPassword()
    await inChat()
    const panel = await openSection(page, 'Account')
    await panel.getByRole('button', { name: 'Add a passkey' }).click()
    await panel.getByRole('alert').getByText('password').waitFor()
    await panel.getByLabel('Your password, for each change').fill(password)
    await panel.getByRole('button', { name: 'Add a passkey' }).click()
    const codes = panel.getByRole('region', { name: 'Recovery codes' })
    await codes.getByRole('listitem').nth(9).waitFor()
    const text = decodeURIComponent((await codes.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? '')
    t.match(text, (await codes.getByRole('listitem').first().textContent()) ?? 'none')
    const name = panel.getByLabel('Name of the passkey')
    // A new name needs no password.
    await panel.getByLabel('Your password, for each change').fill('')
    await name.fill('Blue laptop')
    await name.blur()
    await panel.getByText('Recovery codes left: 10').waitFor()
    await until(async () => (await ada.ok('GET', '/users/me/factors')).passkeys[0]?.name === 'Blue laptop')
  })

  await t.test('the passkey signs in alone, without a password', async t => {
    await signOut()
    await verified(false)
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await verified(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await inChat()
    t.same((await methods()).at(-1), 'passkey')
  })

  await t.test('the passkey follows the password', async t => {
    await signOut()
    await byPassword()
    await inChat()
    t.same((await methods()).at(-1), 'password+passkey')
  })

  await t.test('an app is added by its code, and is asked for at the next sign-in', async t => {
    const panel = await openSection(page, 'Account')
    await panel.getByLabel('Your password, for each change').fill(password)
    await panel.getByRole('button', { name: 'Add an authenticator app' }).click()
    await panel.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = ((await panel.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
    const field = panel.getByLabel('Code of the app')
    await field.fill('000000')
    await panel.getByRole('button', { name: 'Confirm' }).click()
    await panel.getByText('The code is wrong.').waitFor()
    await field.fill(codeAt(secret, Date.now()))
    await panel.getByRole('button', { name: 'Confirm' }).click()
    await panel.getByText('Authenticator app: added').waitFor()
    await signOut()
    await byPassword()
    await page.getByLabel('Code of your authenticator app').fill(codeAt(secret, Date.now() + 30_000))
    await page.getByRole('button', { name: 'Go on' }).click()
    await inChat()
    t.same((await methods()).at(-1), 'password+code')
  })

  await t.test('factors are removed with the password', async t => {
    const panel = await openSection(page, 'Account')
    await panel.getByLabel('Your password, for each change').fill(password)
    await panel.getByRole('button', { name: 'Remove the app' }).click()
    await panel.getByText('Authenticator app: none').waitFor()
    await panel.getByRole('button', { name: 'Remove', exact: true }).click()
    await panel.getByLabel('Name of the passkey').waitFor({ state: 'detached' })
    t.match(await ada.ok('GET', '/users/me/factors'), { app: null, passkeys: [], recovery_codes: 0 })
  })

  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})
