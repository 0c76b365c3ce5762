import t from 'tap'
import { givePassword, password } from '../support/browser.js'
import { demonstration } from '../support/demonstration.js'
import { deactivate } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { keptSession, launchBrowser, needsBrowser, openWindow } from './support/browser.js'

/** The page leaves for the one that signs people in, and comes back. */
const unexpected = (wrongs: readonly string[]) => wrongs.filter(wrong => !wrong.startsWith('loaded again'))

t.test('signing in', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const gone = await server.person()
  await givePassword(server.sql, ada, gone)
  await deactivate(server.sql, gone.id)
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#inbox`, null)
  const signIn = async (email: string, given = password) => {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(given)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const cookies = () => page.context().cookies()

  await t.test('is refused with a wrong password, an unknown address, a deactivated account', async t => {
    for (const [email, given, words] of [
      [ada.email, 'open sesam', 'password is wrong'],
      ['nobody@test.example', password, 'password is wrong'],
      [gone.email, password, 'is deactivated'],
    ] as const) {
      await signIn(email, given)
      await page.getByRole('alert').getByText(words).waitFor()
      t.same(await cookies(), [], email)
    }
    t.notMatch(page.url(), password.split(' ')[0] ?? '', 'no password in the address')
  })
  await t.test('is not even tried without what is needed', async t => {
    await page.goto(`${server.url}/login/`)
    const asked: string[] = []
    page.on('request', request => request.method() === 'POST' && asked.push(request.url()))
    for (const [email, given] of [
      ['', ''],
      ['ada', 'x'],
      [ada.email, ''],
    ] as const)
      await signIn(email, given)
    t.same(asked, [])
  })
  await t.test('leads to where the user wanted to go; nothing that a script can read is a secret', async t => {
    await page.goto(`${server.url}/#inbox`)
    await signIn(ada.email)
    await page.locator('.sidebar').waitFor()
    t.equal(new URL(page.url()).hash, '#inbox')
    t.match(await cookies(), [
      { name: 'sessionid', httpOnly: true, sameSite: 'Lax' },
      { name: 'csrftoken', httpOnly: false },
    ])
    const readable = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie')
    t.notMatch(readable, ada.api_key)
    t.notMatch(readable, (await cookies())[0]?.value ?? '')
  })
  await t.test('holds over a reload, until signing out', async t => {
    await page.reload()
    await page.locator('.sidebar').waitFor()
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal(await keptSession(page), null)
    t.same(await cookies(), [])
    t.same(await server.sql`select id from sessions`, [])
  })
  await t.test('ends when the session does, and not with the key', async t => {
    await signIn(ada.email)
    await page.locator('.corner[data-phase="live"]').waitFor()
    await ada.ok('POST', '/users/me/api_key/regenerate')
    await page.locator('.corner[data-phase="live"]').waitFor()
    const own = await server.sql`select api_key from users where id = ${ada.id}`
    const again = server.api({ email: ada.email, api_key: own[0]?.api_key })
    await again.ok('DELETE', '/users/me/sessions')
    await page.getByText('Your session has ended').waitFor()
    t.equal(await keptSession(page), null)
  })
  await t.test('signing out in one window is signing out in the others of the browser', async t => {
    await signIn(ada.email)
    await page.locator('.corner[data-phase="live"]').waitFor()
    const other = await page.context().newPage()
    await other.goto(server.url)
    await other.locator('.sidebar').waitFor()
    await other.getByLabel('Your menu').click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.pass()
  })
  t.same(unexpected(wrongs), [])
})

t.test('a page of the last release has a key: it becomes a session, and is forgotten', needsBrowser, async t => {
  const server = await startServer(t)
  const [ada, bob] = [await server.person(), await server.person()]
  const { page, wrongs } = await openWindow(await launchBrowser(t), `${server.url}/login/`, null)
  const keep = (kept: object) =>
    page.evaluate(`localStorage.setItem('parley.session', ${JSON.stringify(JSON.stringify(kept))})`)
  await keep({ email: ada.email, apiKey: ada.api_key, userId: ada.id })
  await page.goto(server.url)
  await page.locator('.sidebar').waitFor()
  t.same(JSON.parse((await keptSession(page)) as string), { email: ada.email, userId: ada.id })
  t.match(await server.sql`select method from sessions where user_id = ${ada.id}`, [{ method: 'key' }])
  await page.context().clearCookies()
  await page.goto(`${server.url}/login/`)
  await keep({ email: bob.email, apiKey: 'x'.repeat(32), userId: bob.id })
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.equal(await keptSession(page), null, 'a wrong key is forgotten as well')
  t.same(unexpected(wrongs), [])
})

t.test('entering the demonstration with one click', needsBrowser, async t => {
  const { server } = await demonstration(t)
  const { page, wrongs } = await openWindow(await launchBrowser(t), server.url, null)
  await page.getByText('This is a demonstration').waitFor()
  const people = page.locator('.people button')
  t.ok((await people.count()) > 5)
  await people.nth(1).click()
  await page.locator('.sidebar').waitFor()
  t.match(await keptSession(page), /@demo\.example/)
  t.same(unexpected(wrongs), [])
})
