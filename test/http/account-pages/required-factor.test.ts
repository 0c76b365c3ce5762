import { randomBytes } from 'node:crypto'
import t from 'tap'
import { addApp, codeAt } from '../../support/authenticator.js'
import { Browser, givePassword, password } from '../../support/browser.js'
import { desktopApp } from '../../support/desktop-app.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { clock } = server.ctx
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const member = await server.person()
await givePassword(server.sql, owner, admin, member)
const place = '/accounts/login/factor/setup/'
const require = (required_for: string) => owner.ok('PATCH', '/realm/second_factors', { required_for })
const fetchKey = (person: Person) => server.api(null).post('/fetch_api_key', { username: person.email, password })

async function halfway(person: Person, fields = {}) {
  const browser = new Browser(server.url)
  const form = { username: person.email, password, ...fields }
  const answer = await browser.page('POST', '/login/', { form })
  return { browser, location: answer.headers.get('location') }
}
/** The secret and the signed setup of a page. */
async function shown(browser: Browser) {
  const text = await (await browser.page('GET', place)).text()
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '')
  return { secret, setup: /name="setup" value="([^"]+)"/.exec(text)?.[1] ?? '', text }
}

t.test('only owners say who needs a second factor', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const others = [admin, member, bot, await server.person({ role: 300 }), await server.person({ role: 600 })]
  for (const who of others) {
    t.match(await who.patch('/realm/second_factors', { required_for: 'none' }), { status: 400 }, who.full_name)
  }
  t.equal((await server.api(null).patch('/realm/second_factors', { required_for: 'none' })).status, 401)
  const gone = await server.person({ is_active: false })
  t.equal((await gone.patch('/realm/second_factors', { required_for: 'none' })).status, 401)
  for (const required_for of ['', 'all', 'NONE']) {
    t.equal((await owner.patch('/realm/second_factors', { required_for })).status, 400, required_for)
  }
  await require('administrators')
  t.match(await member.ok('GET', '/users/me/factors'), { required_for: 'administrators' })
  const [entry] = await server.sql`select * from audit_log where event = 'factor_requirement' order by id desc limit 1`
  t.match(entry, { actor_id: owner.id, after: { second_factor_required_for: 'administrators' } })
  t.match((await halfway(member)).location, '/', 'a member needs none')
  t.equal((await halfway(admin)).location, place)
  t.equal((await halfway(owner)).location, place)
})

t.test('who has none sets one up before a session begins', async t => {
  await require('users')
  const before = await new Browser(server.url).page('GET', place)
  t.equal(before.headers.get('location'), '/login/', 'without a password')
  t.match(await fetchKey(member), { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  const { browser } = await halfway(member, { next: '/status' })
  const { secret, setup, text } = await shown(browser)
  t.match(text, /<svg class="qr".*<path d="M/)
  t.equal((await browser.json('GET', '/users/me')).status, 401, 'no session')
  const skipped = await browser.page('POST', place, { form: {} })
  t.equal(skipped.status, 200, 'the step cannot be left out')
  const wrong = await browser.page('POST', place, { form: { setup, code: '12345' } })
  t.match(await wrong.text(), new RegExp(`role="alert".*${secret.slice(0, 4)}`, 's'), 'the same secret again')
  const codes = await browser.page('POST', place, { form: { setup, code: codeAt(secret, clock.now()) } })
  t.equal((await codes.text()).match(/<li><code>/g)?.length, 10)
  t.equal((await browser.json('GET', '/users/me')).status, 401, 'not yet')
  const end = await browser.page('POST', place, { form: {} })
  t.same([end.status, end.headers.get('location')], [302, '/status'])
  t.equal((await browser.json('GET', '/users/me')).status, 200)
  t.match((await browser.json('GET', '/users/me/sessions')).body.sessions, [{ method: 'password+code' }])
  t.equal((await halfway(member)).location, '/accounts/login/factor/', 'from then on it is asked for')
  const { proof } = await member.ok('POST', '/users/me/factors/proof', { password })
  t.match(await member.delete('/users/me/factors/app', { proof }), { status: 400, body: { msg: /requires/ } })
})

t.test('a sign-in under way sets up no second app in place of a first one', async t => {
  const person = await server.person()
  await givePassword(server.sql, person)
  const { browser } = await halfway(person)
  const { secret, setup } = await shown(browser)
  await addApp(server, person, password)
  const answer = await browser.page('POST', place, { form: { setup, code: codeAt(secret, clock.now()) } })
  t.equal(answer.headers.get('location'), '/login/')
  t.equal((await browser.json('GET', '/users/me')).status, 401)
})

t.test('an app that waits gets its key after the set-up', async t => {
  const person = await server.person()
  await givePassword(server.sql, person)
  const { browser } = await halfway(person, { mobile_flow_otp: randomBytes(32).toString('hex') })
  const { secret, setup } = await shown(browser)
  await browser.page('POST', place, { form: { setup, code: codeAt(secret, clock.now()) } })
  const end = await browser.page('POST', place, { form: {} })
  t.match(end.headers.get('location'), /^service:\/\/login\?otp_encrypted_api_key=/)
})

t.test('a session from before, that began with a password alone, reads no API key', async t => {
  await require('none')
  const person = await server.person()
  await givePassword(server.sql, person)
  const page = await new Browser(server.url).signIn(person)
  await require('users')
  t.match(await page.json('POST', '/fetch_api_key', { password }), {
    status: 401,
    body: { code: 'SECOND_FACTOR_REQUIRED' },
  })
  t.equal((await page.json('GET', '/users/me')).status, 200, 'it goes on')
  await require('none')
  t.match(await page.json('POST', '/fetch_api_key', { password }), { body: { api_key: person.api_key } })
})

t.test('so does a desktop app from before; one that signed in with more does not need to again', async t => {
  await require('none')
  const person = await server.person()
  await givePassword(server.sql, person)
  const app = await desktopApp(server, person)
  t.match((await app.json('GET', '/users/me/sessions')).body.sessions, [{ method: 'token password' }])
  await require('users')
  const refused = { status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } }
  t.match(await app.json('POST', '/fetch_api_key', { password }), refused)
  await server.sql`update sessions set method = 'token' where user_id = ${person.id}`
  t.match(await app.json('POST', '/fetch_api_key', { password }), refused, 'a session of the release before')
  await server.sql`update sessions set method = 'token oidc:company' where user_id = ${person.id}`
  t.match(await app.json('POST', '/fetch_api_key', { password }), { body: { api_key: person.api_key } })
})
