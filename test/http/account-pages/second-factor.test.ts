import { randomBytes } from 'node:crypto'
import t from 'tap'
import { addApp, codeAt } from '../../support/authenticator.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { deactivate } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { clock } = server.ctx
const page = '/accounts/login/factor/'

/** An account with an app; the next code that it shows is good. */
async function withApp() {
  const person = await server.person()
  await givePassword(server.sql, person)
  const app = await addApp(server, person, password)
  return { person, ...app, next: () => codeAt(app.secret, clock.now() + 30_000) }
}
/** A browser in which the password was right. */
async function halfway(person: Person, fields = {}): Promise<Browser> {
  const browser = new Browser(server.url)
  const answer = await browser.page('POST', '/login/', { form: { username: person.email, password, ...fields } })
  t.equal(answer.headers.get('location'), page)
  return browser
}
const send = (browser: Browser, code: string) => browser.page('POST', page, { form: { code } })

t.test('after the password the page asks for a code, and only the code begins a session', async t => {
  const { person, next } = await withApp()
  const browser = await halfway(person, { next: '/status' })
  t.same([...browser.cookies.keys()], ['parley_second_factor'], 'no session')
  t.equal((await browser.json('GET', '/users/me')).status, 401)
  const shown = await browser.page('GET', page)
  t.match(await shown.text(), new RegExp(`for ${person.email}.*autocomplete="one-time-code"`, 's'))
  t.match(shown.headers.get('content-security-policy'), /default-src 'none'/)
  const answer = await send(browser, next())
  t.match([answer.status, answer.headers.get('location')], [302, '/status'])
  t.notOk(browser.cookies.has('parley_second_factor'))
  t.match((await browser.json('GET', '/users/me/sessions')).body.sessions, [{ method: 'password+code' }])
  const key = await browser.json('POST', '/fetch_api_key', { password })
  t.match(key.body, { api_key: person.api_key }, 'its session reads the API key')
})

t.test('an API key alone changes no address of an account with a second factor', async t => {
  const { person, next } = await withApp()
  const email = `new-${person.email}`
  t.match(await person.patch('/settings', { email }), { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  t.match(await person.patch('/settings', { timezone: 'Europe/Berlin' }), { status: 200 })
  const browser = await halfway(person)
  await send(browser, next())
  t.match(await browser.json('PATCH', '/settings', { email }), { status: 200 })
})

t.test('wrong, old and used codes are refused', async t => {
  const { person, secret, next } = await withApp()
  const browser = await halfway(person)
  const used = codeAt(secret, clock.now())
  const old = codeAt(secret, clock.now() - 120_000)
  for (const code of [used, old, '', '12345']) {
    const answer = await send(browser, code)
    t.equal(answer.status, 200, code)
    t.match(await answer.text(), 'role="alert"', code)
  }
  t.equal((await browser.json('GET', '/users/me')).status, 401)
  const code = next()
  t.equal((await send(browser, code)).status, 302)
  t.equal((await send(await halfway(person), code)).status, 200, 'the same code again')
})

t.test('a code works once, of two that come at once', async t => {
  const { person, next } = await withApp()
  const browsers = [await halfway(person), await halfway(person)]
  const code = next()
  const answers = await Promise.all(browsers.map(browser => send(browser, code)))
  t.same(answers.map(({ status }) => status).sort(), [200, 302])
})

t.test('a recovery code works once, however it is typed', async t => {
  const { person, recoveryCodes } = await withApp()
  const [first = '', second = ''] = recoveryCodes
  const browser = await halfway(person)
  t.equal((await send(browser, first.toUpperCase().replaceAll('-', ' '))).status, 302)
  t.match((await browser.json('GET', '/users/me/sessions')).body.sessions, [{ method: 'password+recovery code' }])
  const again = await halfway(person)
  t.equal((await send(again, first)).status, 200, 'used')
  const other = await withApp()
  t.equal((await send(await halfway(other.person), second)).status, 200, 'of another account')
  t.match(await person.ok('GET', '/users/me/factors'), { recovery_codes: 9 })
  const [entry] = await server.sql`select * from audit_log where operation = 'second_factor'`
  t.match(entry, {
    operation: 'second_factor',
    subject: { user_id: person.id },
    after: { factors: 'recovery_code_used' },
  })
})

t.test('wrong codes are limited as wrong passwords are', async t => {
  const { person, next } = await withApp()
  const browser = await halfway(person)
  for (let i = 0; i < 5; i++) t.equal((await send(browser, '000000')).status, 200)
  const answer = await send(browser, next())
  t.equal(answer.status, 429, 'the right one has to wait, too')
  t.match(await answer.text(), /Too many wrong codes/)
  t.equal((await send(await halfway(person), next())).status, 429, 'in another browser, too')
})

t.test('a sign-in under way belongs to its browser, its time and the present password', async t => {
  const { person, next } = await withApp()
  const toSignIn = async (browser: Browser, why: string) => {
    const answers = [await browser.page('GET', page), await send(browser, next())]
    for (const { status, headers } of answers) t.same([status, headers.get('location')], [302, '/login/'], why)
  }
  await toSignIn(new Browser(server.url), 'another browser')
  const changed = await halfway(person)
  const token = changed.cookies.get('parley_second_factor') ?? ''
  changed.cookies.set(
    'parley_second_factor',
    token.replace(/.$/, last => (last === '0' ? '1' : '0')),
  )
  await toSignIn(changed, 'a changed cookie')
  const finished = await halfway(person)
  const kept = finished.cookies.get('parley_second_factor') ?? ''
  t.equal((await send(finished, next())).status, 302)
  const replayed = new Browser(server.url)
  replayed.cookies.set('parley_second_factor', kept)
  await toSignIn(replayed, 'a finished one')
  const late = await halfway(person)
  const now = clock.now()
  clock.now = () => now + 601_000
  await toSignIn(late, 'a late one')
  clock.now = () => Date.now()
  const former = await halfway(person)
  await givePassword(server.sql, person)
  await toSignIn(former, 'a former password')
  const gone = await halfway(person)
  await deactivate(server.sql, person.id)
  await toSignIn(gone, 'a deactivated account')
})

t.test('a form of another site is refused', async t => {
  const { person, next } = await withApp()
  const browser = await halfway(person)
  const answer = await browser.page('POST', page, {
    form: { code: next() },
    headers: { Origin: 'https://evil.example' },
  })
  t.equal(answer.status, 403)
})

t.test('a password alone gets no API key; an app gets it through the page', async t => {
  const { person, next } = await withApp()
  const fetchKey = (given: string) =>
    server.api(null).post('/fetch_api_key', { username: person.email, password: given })
  t.match(await fetchKey(password), { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED', msg: /browser/ } })
  t.match(
    await fetchKey('wrong'),
    { status: 401, body: { code: 'AUTHENTICATION_FAILED' } },
    'it tells nothing of factors',
  )
  const mobile_flow_otp = randomBytes(32).toString('hex')
  const answer = await send(await halfway(person, { mobile_flow_otp }), next())
  const location = new URL(answer.headers.get('location') ?? '')
  const pad = Buffer.from(mobile_flow_otp, 'hex')
  const sealed = Buffer.from(location.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
  t.equal(Buffer.from(sealed.map((byte, i) => byte ^ (pad[i] ?? 0))).toString(), person.api_key)
})
